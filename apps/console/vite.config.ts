import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { checkBudgets } from './build/budget.ts'
import { compressAssets } from './build/compress.ts'
import { fewFiles } from './build/few-files.ts'
import { muteIcons } from './build/mute-icons.ts'
import { serviceWorker } from './build/service-worker.ts'
import { withoutJsonSchema } from './build/without-json-schema.ts'

const platform = 'http://127.0.0.1:7777'
const kilobyte = 1000
const entry = 'index.html'
const frame = [entry, 'src/app/shell/shell.tsx']
const deviceDetail = 'src/features/device-detail/screens/device-detail.tsx'
const chart = 'src/kit/chart-canvas.tsx'
const homeParts = [
  'src/features/home/screens/home.tsx',
  'src/features/home/map/outline-map.tsx',
  'src/blocks/first-steps/first-steps.tsx',
  chart,
]
const screenPage = (page: string, ...modules: string[]) => ({
  page,
  modules: [...frame, ...modules],
  limit: 450 * kilobyte,
  files: 11,
})
/** Every lazy part that a page fetches by itself: the walk paint.test.ts compares. */
const pages = [
  {
    page: 'login page',
    modules: [entry, 'src/features/users/screens/login.tsx'],
    limit: 250 * kilobyte,
    files: 6,
    times: 1000,
  },
  {
    page: 'first list page',
    // A platform without devices shows the first steps too: the heaviest first visit counts.
    modules: [...frame, 'src/features/products/screens/product-list.tsx', 'src/blocks/first-steps/first-steps.tsx'],
    limit: 450 * kilobyte,
    files: 12,
    times: 300,
  },
  screenPage('device list', 'src/features/devices/screens/device-list.tsx'),
  screenPage('alarm queue', 'src/features/alarms/screens/alarm-record-list.tsx'),
  screenPage('log service', 'src/features/history/screens/log-service.tsx'),
  {
    ...screenPage('history', deviceDetail, 'src/features/device-detail/history/data-tab.tsx', chart),
    limit: 553 * kilobyte,
    files: 13,
    times: 200,
  },
  { ...screenPage('home', ...homeParts), limit: 640 * kilobyte, files: 16 },
  {
    ...screenPage('scene editor', 'src/features/scenes/screens/scene-detail.tsx'),
    limit: 540 * kilobyte,
    files: 18,
    times: 150,
  },
]
/** A screen asks for data, too: all its requests together are at most 25 (paint.test.ts). */
const everyScreen = { modules: frame, limit: 480 * kilobyte, files: 17 }
/** What decides what a module holds. */
const transforms = () => [react(), withoutJsonSchema(), muteIcons()]

export default defineConfig({
  // spec 9: base public path.
  base: '/front/iThingsCore/',
  plugins: [
    ...transforms(),
    fewFiles(transforms, pages, frame),
    // The server decides whether offline support is on, so the page registers the worker itself (src/app/pwa.ts).
    serviceWorker(),
    compressAssets(),
    checkBudgets(pages, everyScreen),
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
    // Sizes are watched by the budgets above, not by the bundler.
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
})
