import { expect, test } from 'vitest'
import { screenTexts } from './screen-texts.ts'

test('a screen has the catalogues that its row fetches', () => {
  const routes = `
    load: async () => (await withTexts('users/sign-in', import('#features/users/screens/login.tsx'))).Login,
    load: async () =>
      (await withTexts(['scenes', 'later'], import('#features/scenes/screens/scene-list.tsx'))).SceneList,`
  expect([...screenTexts(routes)]).toEqual([
    ['src/features/users/screens/login.tsx', ['src/features/users/en-sign-in.json']],
    ['src/features/scenes/screens/scene-list.tsx', ['src/features/scenes/en.json', 'src/language/shelves/later.ts']],
  ])
})
