// Two runs: whether they are the same, and where they part first.
import { LitElement, css, html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ComparedEvent, Comparison } from '../trace/types';
import { comparedWords } from './compared_words';
import { shared } from './styles';
import { counted } from './wording';

const mostListed = 200;
const kinds = {
  message: 'the receive took another message',
  contents: 'the same message has other contents',
  event: 'another event',
  missing: 'one run ends here',
} as const;

@customElement('lightcone-comparison-panel')
export class ComparisonPanel extends LitElement {
  @property({ attribute: false }) comparison!: Comparison;
  @property() first = ''; // the names of the runs
  @property() second = '';

  static override styles = [
    shared,
    css`
      ul { list-style: none; padding: 0; }
      li { border-bottom: 1px solid var(--line); padding: 6px 0; }
      .event { overflow-wrap: anywhere; margin: 2px 0 2px 14px; }
      .answer { font-weight: 600; }
    `,
  ];

  protected override render() {
    const { same, alike, first } = this.comparison;
    const answer = same === null ? 'The same, as far as both runs are known' : same ? 'Both runs are the same' : 'The runs differ';
    return html`<p class="answer" id="answer">${answer}</p>
      <p class="soft">${counted(alike, 'event')} are the same in both. They are grey in the diagrams.</p>
      ${first.length ? html`<h3>Where they part first</h3>` : nothing}
      <ul>${first.slice(0, mostListed).map((one, i) => html`<li>
        <button class="link" @click=${() => this.dispatchEvent(new CustomEvent('difference', { detail: i }))}>${one.process}:${one.event}</button>
        ${kinds[one.kind]}${one.differs?.length ? html` <span class="soft">(${one.differs.join(', ')})</span>` : nothing}
        <div class="event"><b>${this.first}</b> ${this.words(one.a)}</div>
        <div class="event"><b>${this.second}</b> ${this.words(one.b)}</div>
      </li>`)}</ul>
      ${first.length > mostListed ? html`<p class="note">and ${counted(first.length - mostListed, 'more place')}</p>` : nothing}`;
  }

  private words(event: ComparedEvent | null) {
    if (!event) return html`<span class="soft">nothing</span>`;
    return comparedWords(event);
  }
}
