import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { menuPages, menuScreens } from './menu-pages.ts'

const routes = `
export const screens = [
  {
    path: paths.home,
    load: async () => (await withTexts('home', import('#features/home/screens/home.tsx'))).Home,
    bare: true,
  },
  {
    path: paths.tasks,
    load: async () =>
      (await withTexts(['tasks', 'later'], import('#features/tasks/screens/task-list.tsx'))).TaskList,
  },
  {
    path: paths.group,
    load: async () => (await withTexts('groups', import('#features/groups/screens/group-detail.tsx'))).GroupDetail,
    parent: paths.groups,
  },
]
`

test('pages of the menu are found with their texts; details and what fills the room are none', () => {
  expect(menuScreens(routes)).toEqual([
    { module: 'src/features/tasks/screens/task-list.tsx', rooms: ['tasks', 'later'] },
  ])
})

test('each is weighed in both languages, in English with its texts', () => {
  const limits = { limit: 1, files: 9 }
  const pages = menuPages(routes, { frame: ['shell.tsx'], texts: ['frame.ts'], limits })
  expect(pages.map(({ modules, files }) => ({ modules, files }))).toEqual([
    { modules: ['shell.tsx', 'src/features/tasks/screens/task-list.tsx'], files: 9 },
    {
      modules: [
        'shell.tsx',
        'src/features/tasks/screens/task-list.tsx',
        'frame.ts',
        'src/features/tasks/en.json',
        'src/language/shelves/later.ts',
      ],
      files: 12,
    },
  ])
})

test('the route table is read whole', async () => {
  const text = await readFile(new URL('../src/app/routes.tsx', import.meta.url), 'utf8')
  const wanted = text.match(/\n {4}path: paths\./g)?.length ?? 0
  const others = text.match(/\n {4}(parent: |bare: )/g)?.length ?? 0
  expect(menuScreens(text)).toHaveLength(wanted - others)
})
