// Starts the page with a server, or with the data inside of an exported page.
import { EmbeddedSource, type EmbeddedData } from './embedded/embedded_source';
import './page/page_element';
import type { PageElement } from './page/page_element';
import { ServerSource } from './source/server_source';
import type { Source } from './source/source';

/** Without data, the element holds a word instead. */
function chooseSource(): Source {
  const data = document.querySelector('#embedded-data')?.textContent ?? '';
  if (data.startsWith('{')) return new EmbeddedSource(JSON.parse(data) as EmbeddedData);
  // A monitor has a folder per execution.
  const base = location.pathname.replace(/[^/]*$/, '');
  return new ServerSource(base, new URLSearchParams(location.search).get('token') ?? '');
}

void document.querySelector<PageElement>('lightcone-page')!.start(chooseSource());
