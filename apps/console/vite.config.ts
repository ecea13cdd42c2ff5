import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { checkBudgets } from './build/budget.ts'
import { compressAssets } from './build/compress.ts'

const platform = 'http://127.0.0.1:7777'
const entry = 'index.html'
const kilobyte = 1000
const formParts =
  /node_modules\/(antd\/es\/(form|checkbox|input\/(Input|Password))|@rc-component\/(form|async-validator|checkbox))/

const budgets = [
  { page: 'login page', modules: [entry, 'src/features/users/screens/login.tsx'], limit: 250 * kilobyte },
  {
    page: 'first list page',
    modules: [entry, 'src/app/shell/shell.tsx', 'src/features/products/screens/product-list.tsx'],
    limit: 450 * kilobyte,
  },
]

export default defineConfig({
  // spec 9: base public path.
  base: '/front/iThingsCore/',
  plugins: [
    react(),
    VitePWA({
      // The server decides whether offline support is on, so the page registers the worker itself (src/app/pwa.ts).
      injectRegister: false,
      manifest: false,
      registerType: 'prompt',
      workbox: {
        globPatterns: ['assets/*.{js,css}', '*.svg'],
        maximumFileSizeToCacheInBytes: 5_000_000,
        cleanupOutdatedCaches: true,
        // Not the page: each answer carries its own CSP nonce, so it is kept with its headers as last seen.
        navigateFallback: null,
        runtimeCaching: [
          {
            urlPattern: ({ request, sameOrigin }) => sameOrigin && request.mode === 'navigate',
            handler: 'NetworkFirst',
            options: { cacheName: 'pages', networkTimeoutSeconds: 5, expiration: { maxEntries: 20 } },
          },
        ],
      },
    }),
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
    // The first page names what each lazy part needs, so that all of it is fetched at once. Single icons are left out:
    // they are tiny, come with the next step, and their names would cost every visitor more than they save.
    modulePreload: {
      resolveDependencies: (_file, needed) => needed.filter((file) => !/(Outlined|Filled)-/.test(file)),
    },
    target: 'es2022',
    // The start file is watched by the budgets above, not by this number.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // Few files compress better than many: what every page starts with, and what every form needs.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'form', test: formParts, priority: 1 },
          ],
        },
      },
    },
  },
})
