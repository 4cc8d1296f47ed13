// Search: where to look, for what, and from hit to hit.
import { LitElement, css, html, nothing } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { isFailure, type Failure, type SearchHits, type SearchKind } from '../trace/types';
import { shared } from './styles';

@customElement('lightcone-search-bar')
export class SearchBar extends LitElement {
  @property() kind: SearchKind = 'any';
  @property() words = '';
  @property({ attribute: false }) answer: SearchHits | Failure | null = null;
  @property({ type: Number }) current = -1;
  @property({ type: Boolean }) exported = false;
  @query('input') private input!: HTMLInputElement;

  static override styles = [
    shared,
    css`
      :host { display: flex; gap: 4px; align-items: center; position: relative; }
      input { flex: 0 1 190px; min-width: 70px; }
      select, button { padding: 3px 6px; }
      .count { color: var(--soft); white-space: nowrap; }
      .problem {
        position: absolute; top: 100%; left: 0; margin-top: 4px; background: var(--paper); border: 1px solid var(--witness);
        border-radius: 5px; padding: 4px 8px; z-index: 5; max-width: 420px;
      }
    `,
  ];

  override focus(): void {
    this.input.focus();
    this.input.select();
  }

  protected override render() {
    const options: [SearchKind, string][] = [
      ['any', 'anything'],
      ['label', 'label'],
      ['process', 'process'],
      ['text', 'text'],
      ['expression', 'expression'],
    ];
    return html`
      <select aria-label="where to search" @change=${this.changed} .value=${this.kind}>
        ${options
          .filter(([kind]) => !(this.exported && kind === 'expression'))
          .map(([kind, words]) => html`<option value=${kind} ?selected=${kind === this.kind}>${words}</option>`)}
      </select>
      <input type="search" aria-label="search" .value=${this.words} @keydown=${this.key} @change=${this.changed}
        placeholder=${this.kind === 'expression' ? 'load > 75 and not paused' : 'search (/)'} />
      <button @click=${() => this.tell('hit', -1)} aria-label="previous hit" ?disabled=${!this.hits}>▲</button>
      <button @click=${() => this.tell('hit', 1)} aria-label="next hit" ?disabled=${!this.hits}>▼</button>
      <span class="count" role="status">${this.countWords}</span>
      ${this.answer && isFailure(this.answer)
        ? html`<div class="problem" role="alert">${this.answer.error.what}${this.answer.error.hint ? html`<br /><span class="soft">${this.answer.error.hint}</span>` : nothing}</div>`
        : nothing}
    `;
  }

  private get hits(): number {
    return this.answer && !isFailure(this.answer) ? this.answer.places.x.length : 0;
  }
  private get countWords(): string {
    if (!this.answer || isFailure(this.answer)) return '';
    const { count } = this.answer;
    if (count === 0) return 'nothing';
    const at = this.current >= 0 ? `${(this.current + 1).toLocaleString('en')} of ` : '';
    const listed = this.hits < count ? ` (${this.hits.toLocaleString('en')} shown)` : '';
    return `${at}${count.toLocaleString('en')}${listed}`;
  }

  private changed(): void {
    const kind = this.renderRoot.querySelector('select')!.value as SearchKind;
    if (kind === this.kind && this.input.value === this.words) return;
    this.tell('search', { kind, words: this.input.value });
  }
  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === 'Escape') this.input.blur();
    if (event.key !== 'Enter') return;
    if (this.input.value !== this.words) this.changed();
    else this.tell('hit', event.shiftKey ? -1 : 1);
  }
  private tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
