// Builds the page as one HTML file with script and styles inside.
import { defineConfig, type Plugin } from 'vite';

/** Puts the script into the page: a file that is opened from disk must need no other. */
function inlined(): Plugin {
  return {
    name: 'inlined',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('there is no page');
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type !== 'chunk') continue;
        const script = part.code.replaceAll('</script', '<\\/script');
        html = html.replace(/<script type="module"[^>]*><\/script>\s*/, '');
        html = html.replace('</body>', () => `<script type="module">${script}</script>\n</body>`);
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  build: { target: 'es2022', modulePreload: false, assetsInlineLimit: 1e9, reportCompressedSize: false },
  plugins: [inlined()],
});
