// Writes the built page as a C++ source, so that the program carries it.
import { readFileSync, writeFileSync } from 'node:fs';

const [, , pagePath, sourcePath] = process.argv;
const bytes = readFileSync(pagePath);
const lines = [];
for (let at = 0; at < bytes.length; at += 96) {
  let line = '';
  for (const byte of bytes.subarray(at, at + 96)) {
    // Three octal digits end an escape, whatever follows.
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
    line += plain ? String.fromCharCode(byte) : '\\' + byte.toString(8).padStart(3, '0');
  }
  lines.push(`    "${line}"`);
}
writeFileSync(
  sourcePath,
  `// The page of lightcone view, made by viewer/embed.mjs.
#include "view/view_page.h"

namespace lightcone::cli {
namespace {

constexpr char page[] =
${lines.join('\n')};

}  // namespace

std::string_view view_page() { return {page, sizeof page - 1}; }

}  // namespace lightcone::cli
`,
);
