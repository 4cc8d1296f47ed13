// Where the tests of functions are.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['tests/unit/*.test.ts', 'tests/agreement/*.test.ts'], testTimeout: 60_000 } });
