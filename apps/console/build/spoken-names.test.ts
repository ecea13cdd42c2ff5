import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { corrected } from './spoken-names.ts'

const rowName = 'tableLocale.selectRow?.(index + 1)'

async function readPart(name: string): Promise<string> {
  const file = fileURLToPath(import.meta.resolve(name))
  return corrected(file, await readFile(file, 'utf8')) ?? ''
}

test('the boxes of a table are named in the language of the table, unless the row has a name of its own', async () => {
  const code = await readPart('antd/es/table/hooks/useSelection.js')
  const names = [...code.matchAll(/(?:"aria-label":|defaultAriaLabel =) (.*?)[,;]\n(.*)/g)]
  expect(names.map(([, name]) => name)).toEqual([
    'tableLocale.selectAll',
    rowName,
    'defaultAriaLabel',
    rowName,
    'defaultAriaLabel',
  ])
  expect(code.match(/"aria-label": .*,\n\s*\.\.\.(customCheckboxProps|checkboxProps)/g)).toHaveLength(3)
})

test('the buttons that turn pages have the names of their tooltips', async () => {
  const code = await readPart('antd/es/pagination/Pagination.js')
  expect(code.match(/"aria-label": locale\.(prev|next)_page/g)).toHaveLength(2)
})

test('an icon without a name of its own is not read', async () => {
  const code = await readPart('@ant-design/icons/es/components/AntdIcon')
  expect(code).toContain('"aria-hidden": true')
})

test('a library that is written in another way fails the build instead of being read in English again', () => {
  expect(() => corrected('/node_modules/antd/es/table/hooks/useSelection.js', 'other')).toThrow('is to follow')
  expect(corrected('/node_modules/antd/es/table/Table.js', 'other')).toBeUndefined()
})
