import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { checkBudgets } from './build/budget.ts'
import { compressAssets } from './build/compress.ts'
import { muteIcons } from './build/mute-icons.ts'
import { formParts, frameParts, sharedParts, startParts } from './build/parts.ts'
import { serviceWorker } from './build/service-worker.ts'
import { withoutJsonSchema } from './build/without-json-schema.ts'

const platform = 'http://127.0.0.1:7777'
const entry = 'index.html'
const kilobyte = 1000
const budgets = [
  { page: 'login page', modules: [entry, 'src/features/users/screens/login.tsx'], limit: 250 * kilobyte },
  {
    page: 'first list page',
    // Every lazy part that it fetches by itself: the walk script-budget compares.
    modules: [
      entry,
      'src/app/shell/shell.tsx',
      'src/features/alarms/parts/alarm-bell.tsx',
      'src/features/products/screens/product-list.tsx',
      // A platform without devices shows the first steps too: the heaviest first visit counts.
      'src/blocks/first-steps/first-steps.tsx',
    ],
    limit: 450 * kilobyte,
  },
]

export default defineConfig({
  // spec 9: base public path.
  base: '/front/iThingsCore/',
  plugins: [
    react(),
    withoutJsonSchema(),
    muteIcons(),
    // The server decides whether offline support is on, so the page registers the worker itself (src/app/pwa.ts).
    serviceWorker(),
    compressAssets(),
    checkBudgets(budgets),
  ],
  // The server replaces the word by the nonce of each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: platform, ws: true }, '/mqtt': { target: platform, ws: true } },
  },
  build: {
    manifest: true,
    target: 'es2022',
    // All of it is 27 KB: one request instead of ten for each screen.
    cssCodeSplit: false,
    // The start file is watched by the budgets above, not by this number.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // Few files are fetched sooner and compress better than many: what every page starts with, what every form
        // needs, what every screen inside the frame needs, of which nearly all are or hold lists, and the small parts
        // that many screens share (less shared ones would make the first page heavier than they are worth).
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], test: startParts, priority: 3 },
            { name: 'form', test: formParts, priority: 2 },
            { name: 'frame', test: frameParts, priority: 1 },
            { name: 'shared', test: sharedParts, minShareCount: 11, priority: 0 },
          ],
        },
      },
    },
  },
})
