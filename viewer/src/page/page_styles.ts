// The layout of the page.
import { css } from 'lit';

export const pageStyles = css`
  :host { display: grid; grid-template: auto 1fr auto / minmax(0, 1fr); height: 100vh; background: var(--paper); }
  main { display: grid; grid-template-columns: 1fr clamp(340px, 31vw, 400px); min-height: 0; }
  .stage { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
  lightcone-diagram { flex: 1; }
  .run { border-top: 2px solid var(--line); padding: 2px 12px; font-weight: 600; }
  aside { border-left: 1px solid var(--line); display: grid; grid-template-rows: auto 1fr; min-height: 0; }
  nav { display: flex; border-bottom: 1px solid var(--line); }
  nav button { flex: 1 1 auto; border: none; border-radius: 0; background: none; padding: 8px 3px; white-space: nowrap; font-size: 12.5px; border-bottom: 2px solid transparent; }
  nav button[aria-selected='true'] { border-bottom-color: var(--focus); font-weight: 600; }
  .panel { overflow: auto; padding: 8px 14px 20px; }
  .status { padding: 3px 12px; color: var(--soft); font-size: 12px; border-top: 1px solid var(--line); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .problem { background: var(--witness); color: var(--paper); padding: 4px 12px; }
  .notes { padding: 4px 12px; color: var(--past); border-bottom: 1px solid var(--line); }
  @media (max-width: 900px) { main { grid-template: 60% 40% / 1fr; } aside { border-left: none; border-top: 1px solid var(--line); } }
`;
