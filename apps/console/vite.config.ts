import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { antdStyles } from './build/antd-styles.ts'
import { type Budget, checkBudgets } from './build/budget.ts'
import { compressAssets } from './build/compress.ts'
import { fewFiles } from './build/few-files.ts'
import { paletteSheet } from './build/palette-sheet.ts'
import { screenTexts } from './build/screen-texts.ts'
import { serviceWorker } from './build/service-worker.ts'
import { spokenNames } from './build/spoken-names.ts'
import { withoutUnused } from './build/without-unused.ts'

const platform = 'http://127.0.0.1:7777'
const kilobyte = 1000
const entry = 'index.html'
const frame = [entry, 'src/app/shell/shell.tsx']
const device = 'src/features/device-detail'
const deviceDetail = `${device}/screens/device-detail.tsx`
const productDetail = 'src/features/products/screens/product-detail.tsx'
const upgrades = 'src/features/ota/screens/firmware-upgrade.tsx'
const tasks = 'src/features/tasks'
const configs = 'src/features/remote-config'
const pointMap = 'src/kit/map/point-map-canvas.tsx'
const cron = 'src/kit/cron-verdict.ts'
const chart = 'src/kit/chart-canvas.tsx'
const homeParts = [
  'src/features/home/screens/home.tsx',
  'src/features/home/map/outline-map.tsx',
  'src/blocks/first-steps/first-steps.tsx',
  'src/kit/chart-bars.ts',
  chart,
]
/** Screens that are met often; their tabs with an address of their own stand below with what they bring. */
const screenPage = (page: string, ...modules: string[]) => ({
  page,
  modules: [...frame, ...modules],
  limit: 550 * kilobyte,
  files: 10,
})
const tabPage = (page: string, kilobytes: number, ...modules: string[]) => ({
  ...screenPage(page, ...modules),
  limit: kilobytes * kilobyte,
  files: 14,
  times: 250,
})
const login: Budget = {
  page: 'login page',
  modules: [entry, 'src/features/users/screens/login.tsx'],
  limit: 250 * kilobyte,
  files: 3,
  // Before all others: what they share must not come with it.
  times: 80_000,
}
const firstList: Budget = {
  page: 'first list page',
  // A platform without devices shows the first steps too: the heaviest first visit counts.
  modules: [...frame, 'src/features/products/screens/product-list.tsx', 'src/blocks/first-steps/first-steps.tsx'],
  limit: 450 * kilobyte,
  files: 8,
  times: 2600,
}
const deviceList: Budget = {
  ...screenPage('device list', 'src/features/devices/screens/device-list.tsx'),
  limit: 450 * kilobyte,
  times: 290,
}
const sceneEditor: Budget = {
  ...screenPage('scene editor', 'src/features/scenes/screens/scene-detail.tsx'),
  times: 1800,
  files: 12,
}
const startTexts = ['../../packages/contract/src/english.ts', 'src/app/en.json']
const frameTexts = [...startTexts, 'src/language/shelves/frame.ts']
const laterTexts = [...frameTexts, 'src/language/shelves/later.ts']
/** The same page for who reads English: the library, and the texts that it waits for. */
const inEnglish = (budget: Budget, texts: readonly string[], files: number): Budget => ({
  ...budget,
  page: `${budget.page} in English`,
  modules: [...budget.modules, ...texts],
  files: budget.files + files,
})
const isList = (screen: string) => /(-list|-log|log-service|online-debug|notify|firmware-upgrade)\.tsx$/.test(screen)
const routes = readFileSync(new URL('src/app/routes.tsx', import.meta.url), 'utf8')
/** Every screen in English, from nothing: a list is promised as light as the first ones. */
const screensInEnglish = [...screenTexts(routes)].map(
  ([screen, texts]): Budget => ({
    page: `${screen} in English`,
    modules: [...frame, screen, ...new Set([...frameTexts, ...texts])],
    limit: (isList(screen) ? 450 : 575) * kilobyte,
    files: 18,
  }),
)
/** Every lazy part that a page fetches by itself: the walk paint.test.ts compares. */
const pages = [
  login,
  firstList,
  deviceList,
  inEnglish(login, [...startTexts, 'src/features/users/en-sign-in.json'], 3),
  inEnglish(firstList, [...frameTexts, 'src/features/products/en.json'], 4),
  inEnglish(deviceList, [...frameTexts, 'src/features/devices/en.json'], 4),
  { ...inEnglish(sceneEditor, [...laterTexts, 'src/features/scenes/en.json'], 5), limit: 575 * kilobyte },
  screenPage('alarm queue', 'src/features/alarms/screens/alarm-record-list.tsx'),
  screenPage('log service', 'src/features/history/screens/log-service.tsx'),
  { ...screenPage('history', deviceDetail, `${device}/history/data-tab.tsx`, chart), files: 7, times: 800 },
  { ...screenPage('home', ...homeParts), limit: 680 * kilobyte, files: 12, times: 1800 },
  sceneEditor,
  { ...tabPage('timer scene', 550, 'src/features/scenes/screens/scene-detail.tsx', cron), files: 13, times: 1800 },
  {
    ...tabPage(
      'alarm record',
      620,
      'src/features/alarms/screens/alarm-record-list.tsx',
      'src/features/alarms/parts/context/record-panel.tsx',
      chart,
    ),
    files: 9,
    times: 3470,
  },
  { ...tabPage('device status', 550, deviceDetail, `${device}/state/state-tab.tsx`), files: 8 },
  {
    ...tabPage(
      'device events',
      550,
      deviceDetail,
      `${device}/history/data-tab.tsx`,
      `${device}/history/event-list.tsx`,
    ),
    files: 10,
  },
  { ...tabPage('device info', 640, deviceDetail, `${device}/info/info-tab.tsx`, pointMap), times: 700 },
  { ...tabPage('device debugging', 550, deviceDetail, `${device}/debug-tab.tsx`), files: 10, times: 500 },
  tabPage('device alarms', 550, deviceDetail, `${device}/alarms-tab.tsx`, 'src/kit/time-range.tsx'),
  { ...tabPage('device credentials', 550, deviceDetail, `${device}/credentials-tab.tsx`), files: 10 },
  tabPage('device shadow', 550, deviceDetail, `${device}/shadow/shadow-tab.tsx`),
  tabPage('sub-devices', 550, deviceDetail, `${device}/sub-devices/sub-devices-tab.tsx`),
  { ...tabPage('thing model', 550, productDetail, 'src/features/thing-model/model-tab.tsx'), times: 720 },
  tabPage('script', 660, productDetail, 'src/features/scripts/script-tab.tsx', 'src/kit/code-editor-view.tsx'),
  {
    ...tabPage(
      'device task',
      550,
      `${tasks}/screens/task-list.tsx`,
      `${tasks}/parts/detail/task-detail-drawer.tsx`,
      cron,
    ),
    files: 13,
  },
  { ...tabPage('new upgrade', 550, upgrades, 'src/features/ota/parts/create/create-task.tsx'), times: 680 },
  {
    ...tabPage(
      'upgrade',
      620,
      upgrades,
      'src/features/ota/parts/detail/task-detail.tsx',
      'src/kit/chart-bars.ts',
      chart,
    ),
    files: 13,
  },
  ...['versions', 'pushes', 'devices'].map((tab) => ({
    ...tabPage(`configuration ${tab}`, 550, `${configs}/screens/remote-config.tsx`, `${configs}/parts/${tab}-tab.tsx`),
    files: 13,
  })),
  { ...tabPage('alarm rule', 550, 'src/features/alarms/screens/alarm-config-save.tsx'), files: 13 },
  ...screensInEnglish,
]
/** A screen asks for data, too: every-route.test.ts counts all its requests together. */
const everyScreen = { modules: frame, limit: 550 * kilobyte, files: 12 }
/** What decides what a module holds. */
const transforms = () => [react(), withoutUnused(), spokenNames(), antdStyles(), paletteSheet()]

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
    target: 'es2022',
    // All of it is 72 KB, with the rules of antd: one request instead of ten for each screen.
    cssCodeSplit: false,
    // Sizes are watched by the budgets above, not by the bundler.
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
})
