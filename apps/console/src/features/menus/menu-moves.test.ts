import { HideInMenu, type Menu, MenuType, rootMenuID } from '@ithings/contract/features/menus.ts'
import { expect, test } from 'vitest'
import { type MenuMove, moveNode, movesTo, saveMoves, stepPlace } from './menu-moves.ts'
import { buildTree, familyOf, type MenuNode } from './menu-tree.ts'

const entry = (id: number, parentID: number, order: number, type: number = MenuType.page): Menu => ({
  id,
  parentID,
  name: `菜单${id}`,
  type,
  path: '',
  component: '',
  icon: '',
  redirect: '',
  order,
  createTime: 0,
  hideInMenu: HideInMenu.show,
  rev: 1,
})

const shape = (tree: readonly MenuNode[]): unknown[] =>
  tree.map((node) => (node.children ? [node.id, shape(node.children)] : node.id))

// 10 > (11, 12 > 13), 20, 30 is a button.
const stored = [
  entry(10, rootMenuID, 1),
  entry(11, 10, 5),
  entry(12, 10, 7),
  entry(13, 12, 1),
  entry(20, rootMenuID, 3),
  entry(30, rootMenuID, 4, MenuType.button),
]
const tree = buildTree(stored)
const brief = (moves: MenuMove[]) => moves.map(({ menu, parentID, order }) => [menu.id, parentID, order])

test('an entry moves with everything under it', () => {
  expect(shape(moveNode(tree, 12, { parentID: rootMenuID, index: 1 }))).toEqual([[10, [11]], [12, [13]], 20, 30])
  expect(shape(moveNode(tree, 11, { parentID: 20, index: 0 }))).toEqual([[10, [[12, [13]]]], [20, [11]], 30])
})

test('a place below itself or below a button changes nothing', () => {
  expect(shape(moveNode(tree, 10, { parentID: 13, index: 0 }))).toEqual(shape(tree))
  expect(shape(moveNode(tree, 10, { parentID: 10, index: 0 }))).toEqual(shape(tree))
  expect(shape(moveNode(tree, 20, { parentID: 30, index: 0 }))).toEqual(shape(tree))
})

test('the arrows move among siblings, into the one before and out of the parent', () => {
  expect(stepPlace(tree, 12, 'up')).toEqual({ parentID: 10, index: 0 })
  expect(stepPlace(tree, 12, 'down')).toBeUndefined()
  expect(stepPlace(tree, 12, 'in')).toEqual({ parentID: 11, index: 0 })
  expect(stepPlace(tree, 12, 'out')).toEqual({ parentID: rootMenuID, index: 1 })
  expect(stepPlace(tree, 10, 'out')).toBeUndefined()
  expect(stepPlace(buildTree([...stored, entry(40, rootMenuID, 9)]), 40, 'in')).toBeUndefined()
})

test('an unchanged tree needs no call, whatever gaps its numbers have', () => {
  expect(movesTo(tree, stored)).toEqual([])
})

test('only the touched siblings get new numbers', () => {
  const swapped = moveNode(tree, 20, { parentID: rootMenuID, index: 0 })
  expect(brief(movesTo(swapped, stored))).toEqual([
    [20, rootMenuID, 1],
    [10, rootMenuID, 2],
    [30, rootMenuID, 3],
  ])
})

test('turning a branch upside down never puts an entry below its own descendant on the way', async () => {
  // 12 comes to the top and takes its former parent 10 below itself.
  const draft = moveNode(moveNode(tree, 12, { parentID: rootMenuID, index: 0 }), 10, { parentID: 12, index: 1 })
  expect(shape(draft)).toEqual([[12, [13, [10, [11]]]], 20, 30])
  let now = [...stored]
  const result = await saveMoves(
    movesTo(draft, stored),
    async ({ menu, parentID, order }) => {
      if (familyOf(buildTree(now), menu.id).has(parentID)) throw new Error('cycle')
      now = now.map((one) => (one.id === menu.id ? { ...one, parentID, order } : one))
    },
    () => undefined,
  )
  expect(result.failures).toEqual([])
  expect(shape(buildTree(now))).toEqual(shape(draft))
})

test('a refused call is named and the others go on', async () => {
  const moves = movesTo(moveNode(tree, 20, { parentID: rootMenuID, index: 0 }), stored)
  const seen: number[] = []
  const result = await saveMoves(
    moves,
    async ({ menu }) => {
      if (menu.id === 10) throw new Error('数据已被他人修改')
    },
    (done) => seen.push(done),
  )
  expect(result.saved).toBe(2)
  expect(result.failures.map((failure) => failure.menu.id)).toEqual([10])
  expect(seen).toEqual([1, 2, 3])
})
