// Colours for light and dark. They are those of Okabe and Ito, which colour-blind people can tell
// apart, a little darker on white so that thin lines are seen.

export interface Palette {
  dark: boolean;
  paper: string;
  band: string;
  ink: string;
  soft: string;
  line: string;
  event: string;
  message: string;
  density: [number, number, number];
  past: string;
  future: string;
  concurrent: string;
  cut: string;
  witness: string;
  hit: string;
  race: string;
}

const light: Palette = {
  dark: false,
  paper: '#ffffff',
  band: '#f5f7f9',
  ink: '#1f2328',
  soft: '#59636e',
  line: '#c3cad1',
  event: '#2f3b48',
  message: '#8d99a6',
  density: [82, 118, 160],
  past: '#c47a00',
  future: '#0072b2',
  concurrent: '#9aa4ae',
  cut: '#a3487f',
  witness: '#d55e00',
  hit: '#00825f',
  race: '#d55e00',
};

const dark: Palette = {
  dark: true,
  paper: '#0f1419',
  band: '#151b22',
  ink: '#e6edf3',
  soft: '#9aa7b4',
  line: '#38434f',
  event: '#c9d3dd',
  message: '#6b7a89',
  density: [110, 160, 215],
  past: '#e69f00',
  future: '#56b4e9',
  concurrent: '#5d6974',
  cut: '#d98cb8',
  witness: '#ff7f32',
  hit: '#2ecc9a',
  race: '#ff7f32',
};

export function palette(isDark: boolean): Palette {
  return isDark ? dark : light;
}
