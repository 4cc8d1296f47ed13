// A text field for property files: words of the language are coloured, an error is underlined.
import { LitElement, css, html, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { errorRange, type EditorError } from './error_range';
import { shared } from './styles';

const words =
  /(#[^\n]*)|("[^"\n]*")|\b(group|label|forbid|require|expect|watch|possibly|definitely|properly|some|every|longest|flow|over|at|matches|ends|with|contains|logic|detect|without|and|or|not|count|all|any|sum|min|max|in|prev|msg|initial|send|receive|external|true|false|for|each|within|clocks)\b/g;

@customElement('lightcone-property-editor')
export class PropertyEditor extends LitElement {
  @property() value = '';
  @property({ attribute: false }) error: EditorError | null = null;
  @property({ type: Boolean }) readonly = false;
  @query('textarea') private area!: HTMLTextAreaElement;
  @query('pre') private backdrop!: HTMLElement;

  static override styles = [
    shared,
    css`
      :host { display: block; position: relative; height: 100%; min-height: 120px; }
      pre, textarea {
        margin: 0; position: absolute; inset: 0; padding: 8px; box-sizing: border-box; width: 100%; height: 100%;
        font: 12px/1.5 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre;
        overflow: auto; tab-size: 2; border: 1px solid var(--line); border-radius: 5px; resize: none;
      }
      pre { color: var(--ink); background: var(--field); pointer-events: none; overflow: hidden; }
      textarea { background: transparent; color: transparent; caret-color: var(--ink); }
      .keyword { color: var(--future); }
      .text { color: var(--hit); }
      .comment { color: var(--soft); }
      .wrong { text-decoration: underline wavy var(--witness) 2px; text-underline-offset: 3px; }
    `,
  ];

  protected override render() {
    return html`<pre aria-hidden="true">${this.coloured()}${'\n'}</pre>
      <textarea aria-label="Properties" spellcheck="false" autocomplete="off" ?readonly=${this.readonly}
        aria-invalid=${this.error ? 'true' : 'false'} .value=${this.value}
        @input=${this.typed} @scroll=${this.scrolled}></textarea>`;
  }

  private coloured(): TemplateResult[] {
    const range = this.error ? errorRange(this.value, this.error) : null;
    const parts: TemplateResult[] = [];
    const add = (from: number, to: number, kind: string) => {
      const cuts = [from, ...(range ?? []).filter((at) => at > from && at < to), to];
      for (let i = 0; i + 1 < cuts.length; ++i) {
        const isWrong = range && cuts[i]! >= range[0] && cuts[i]! < range[1];
        const text = this.value.slice(cuts[i], cuts[i + 1]);
        parts.push(html`<span class="${kind}${isWrong ? ' wrong' : ''}">${text}</span>`);
      }
    };
    let at = 0;
    for (const match of this.value.matchAll(words)) {
      if (match.index > at) add(at, match.index, '');
      add(match.index, match.index + match[0].length, match[1] ? 'comment' : match[2] ? 'text' : 'keyword');
      at = match.index + match[0].length;
    }
    if (at < this.value.length) add(at, this.value.length, '');
    return parts;
  }

  private typed(): void {
    this.value = this.area.value;
    this.dispatchEvent(new CustomEvent('typed', { detail: this.value }));
  }
  private scrolled(): void {
    this.backdrop.scrollTop = this.area.scrollTop;
    this.backdrop.scrollLeft = this.area.scrollLeft;
  }
}
