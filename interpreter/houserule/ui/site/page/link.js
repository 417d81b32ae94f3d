// A link holds a game and a text: `#GAME.TEXT`, the text compressed, in base64url.
const through = async (bytes, stream, most) => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    size += value.length;
    if (size > most) throw new RangeError("too large");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
};

export async function packed(game, text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), Infinity);
  const letters = btoa(String.fromCharCode(...bytes));
  return `#${game}.${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

// Returns null unless it is a link of one of the games, with a text of at most `most` bytes.
export async function unpacked(fragment, games, most) {
  const [, game, letters] = /^#(\w+)\.([\w-]+)$/.exec(fragment) ?? [];
  if (!games.includes(game)) return null;
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream("deflate-raw"), most);
    return { game, text: new TextDecoder("utf-8", { fatal: true }).decode(text) };
  } catch {
    return null;
  }
}
