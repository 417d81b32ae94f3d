// What Python asks of the page: the bytes of a WebAssembly module, from its text.
export async function assembler(wabtModule) {
  const wabt = await wabtModule();
  return (text) => {
    const module = wabt.parseWat("module.wat", text, { threads: true });
    try {
      return module.toBinary({}).buffer;
    } finally {
      module.destroy();
    }
  };
}
