// The bar above the diagram: name, axis, zoom, search, pictures, colours.
import { LitElement, css, html, nothing } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { AxisInfo, AxisKind, Failure, SearchHits, SearchKind, TraceInfo } from '../trace/types';
import './search_bar';
import type { SearchBar } from './search_bar';
import { shared } from './styles';
import { counted } from './wording';

const axisNames: Record<AxisKind, string> = {
  depth: 'causal depth',
  time: 'recorded time',
  order: 'order of the file',
};

@customElement('lightcone-toolbar')
export class Toolbar extends LitElement {
  @property({ attribute: false }) trace!: TraceInfo;
  @property({ attribute: false }) axis!: AxisInfo;
  @property({ attribute: false }) search!: { kind: SearchKind; words: string };
  @property({ attribute: false }) hits: SearchHits | Failure | null = null;
  @property({ type: Number }) currentHit = -1;
  @property({ type: Boolean }) exported = false;
  @property({ type: Boolean }) held = false;
  @property({ type: Boolean }) dark = false;
  @query('lightcone-search-bar') private searchBar!: SearchBar;

  static override styles = [
    shared,
    css`
      header { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; padding: 6px 12px; border-bottom: 1px solid var(--line); }
      h1 { font-size: 14px; margin: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-width: 260px; }
      h1, #size { flex: 0 1 auto; min-width: 0; }
      #size { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
      label, button { flex: none; }
      lightcone-search-bar { flex: 1 1000 auto; min-width: 240px; justify-content: flex-end; }
    `,
  ];

  focusSearch(): void {
    this.searchBar.focus();
  }

  protected override render() {
    const { trace, axis } = this;
    const size = `${counted(trace.events, 'event')} · ${counted(trace.processes.length, 'process', 'processes')}`;
    return html`<header>
      <h1 title=${trace.name}>${trace.name}</h1>
      <span class="soft" id="size" title=${size}>${size}</span>
      <label>axis <select id="axis" @change=${(event: Event) => this.tell('axis', (event.target as HTMLSelectElement).value)}>
        ${trace.axes.map((kind) => html`<option value=${kind} ?selected=${kind === axis.kind}>${axisNames[kind]}</option>`)}
      </select></label>
      <button @click=${() => this.tell('fit')} title="the whole trace (f)">Fit</button>
      <button @click=${() => this.tell('zoom', 1.6)} aria-label="zoom in">+</button>
      <button @click=${() => this.tell('zoom', 1 / 1.6)} aria-label="zoom out">−</button>
      <lightcone-search-bar .kind=${this.search.kind} .words=${this.search.words} .answer=${this.hits}
        .current=${this.currentHit} ?exported=${this.exported}
        @search=${(event: CustomEvent) => this.tell('search', event.detail)}
        @hit=${(event: CustomEvent) => this.tell('hit', event.detail)}></lightcone-search-bar>
      ${this.exported
        ? nothing
        : html`<button id="hold" aria-pressed=${this.held} @click=${() => this.tell('hold')} title="do not follow a trace that grows">Hold still</button>`}
      <button @click=${() => this.tell('save-svg')} title="save what is visible as SVG">SVG</button>
      <button @click=${() => this.tell('save-png')} title="save what is visible as PNG">PNG</button>
      <button @click=${() => this.tell('theme')} aria-label=${this.dark ? 'light colours' : 'dark colours'}>${this.dark ? '☀' : '☾'}</button>
      <button @click=${() => this.tell('help')} aria-label="help">?</button>
    </header>`;
  }

  private tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
