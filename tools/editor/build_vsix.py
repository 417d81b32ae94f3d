"""Packs the extension for VS Code into one file, without a network.

    python tools/editor/build_vsix.py [FILE]

The file can be installed with `code --install-extension FILE`, or from the list of
extensions: "Install from VSIX…".
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

FOLDER = Path(__file__).parent
LICENCE = FOLDER.parents[1] / "LICENSE"
TYPES = """\
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="json" ContentType="application/json"/>
  <Default Extension="js" ContentType="application/javascript"/>
  <Default Extension="txt" ContentType="text/plain"/>
  <Default Extension="vsixmanifest" ContentType="text/xml"/>
</Types>
"""


def build(target: Path) -> None:
    """Write the extension; the same files make the same bytes."""
    described = json.loads((FOLDER / "package.json").read_text("utf-8"))
    files = {f"extension/{each.name}": each.read_bytes() for each in _parts()}
    files["extension/LICENSE.txt"] = LICENCE.read_bytes()
    files["extension.vsixmanifest"] = _manifest(described).encode()
    files["[Content_Types].xml"] = TYPES.encode()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = ZipInfo(name)  # its time is the same every time
            archive.writestr(entry, content, ZIP_DEFLATED)


def _parts() -> list[Path]:
    return sorted((*FOLDER.glob("*.js"), *FOLDER.glob("*.json")))


def _manifest(described: dict[str, str]) -> str:
    names = (described[each] for each in ("name", "version", "publisher"))
    name, version, publisher = map(quoteattr, names)
    engine = quoteattr(described["engines"]["vscode"])  # type: ignore[index]
    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0"
    xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
    <DisplayName>{escape(described["displayName"])}</DisplayName>
    <Description>{escape(described["description"])}</Description>
    <Categories>Programming Languages</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest"
        Path="extension/package.json" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


if __name__ == "__main__":
    described = json.loads((FOLDER / "package.json").read_text("utf-8"))
    named = f"houserule-{described['version']}.vsix"
    build(Path(sys.argv[1] if len(sys.argv) > 1 else named))
