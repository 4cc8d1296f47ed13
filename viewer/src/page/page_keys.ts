// What keys do on the page.
import { keyAction, tabOfKey, type KeyAction } from './keys';
import type { PageElement } from './page_element';
import { tabs } from './tabs';

export function pressKey(page: PageElement, event: KeyboardEvent): void {
  const tab = tabs.filter(([name]) => name !== 'comparison' || page.second)[tabOfKey(event)];
  if (tab) return page.openTab(tab[0]);
  const action = keyAction(event);
  if (!action) return;
  event.preventDefault();
  const { diagram } = page;
  const selection = page.selection ?? page.secondSelection;
  const actions: Record<KeyAction, () => unknown> = {
    left: () => (selection ? page.walk('left') : diagram.panBy(-0.2)),
    right: () => (selection ? page.walk('right') : diagram.panBy(0.2)),
    up: () => (selection ? page.walk('up') : diagram.scrollRows(-60)),
    down: () => (selection ? page.walk('down') : diagram.scrollRows(60)),
    'zoom in': () => diagram.zoomBy(1.6),
    'zoom out': () => diagram.zoomBy(1 / 1.6),
    fit: () => diagram.fit(),
    approach: () => selection && diagram.approach(selection.x),
    'pan left': () => diagram.panBy(-0.2),
    'pan right': () => diagram.panBy(0.2),
    'scroll up': () => diagram.scrollRows(-60),
    'scroll down': () => diagram.scrollRows(60),
    cut: () => page.cutAtSelection(),
    'previous state': () => page.walkCut('previous'),
    'next state': () => page.walkCut('next'),
    search: () => page.bar.focusSearch(),
    'next hit': () => page.nextHit(1),
    'previous hit': () => page.nextHit(-1),
    'select nothing': () => page.pick(null, 'stay'),
    help: () => page.help.show(),
    select: () => page.pickMiddle(),
  };
  void actions[action]();
}
