// Styles that all parts of the page share. Colours are variables that the page sets.
import { css } from 'lit';

export const shared = css`
  :host { font: 13px/1.45 system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; color: var(--ink); }
  button, select, input, textarea {
    font: inherit; color: inherit; background: var(--field); border: 1px solid var(--line);
    border-radius: 5px; padding: 3px 8px;
  }
  button { cursor: pointer; }
  button:hover:not(:disabled) { border-color: var(--soft); }
  button:disabled { opacity: 0.45; cursor: default; }
  button.plain { border: none; background: none; padding: 2px 4px; text-align: left; }
  button.plain:hover { background: var(--field); }
  button[aria-pressed='true'] { background: var(--focus); color: var(--paper); border-color: var(--focus); }
  :focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
  a, .link { color: var(--link); text-decoration: none; cursor: pointer; }
  button.link { border: none; background: none; padding: 0; color: var(--link); text-align: left; overflow-wrap: anywhere; }
  button.link:hover { text-decoration: underline; }
  .soft { color: var(--soft); }
  .mono, code { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 12px; }
  table { border-collapse: collapse; }
  th { text-align: left; font-weight: 600; color: var(--soft); }
  td, th { padding: 2px 10px 2px 0; vertical-align: top; }
  h3 { font-size: 12px; margin: 14px 0 4px; color: var(--soft); font-weight: 600; }
  .note { color: var(--soft); margin: 8px 0; }
  .error { color: var(--past); }
  .visually-hidden {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }
`;
