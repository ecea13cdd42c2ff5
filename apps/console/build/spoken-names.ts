/**
 * What a screen reader says of antd's own parts. Nothing of an icon: antd gives each the English name of its picture, so
 * that a button would be read as "plus 新增产品"; one that has a label of its own, or can be pressed, keeps it. The buttons
 * that turn pages had no other name than that of their icon; they get the one that their tooltip shows. The boxes of a
 * table are named in English whatever is spoken; who knows a better name of a row gives it. The library has no setting for any of it.
 */
import type { Plugin } from 'vite'

type Replacement = readonly [written: RegExp, said: string]

/** A file of the library and what is to be found in it. */
interface Correction {
  file: RegExp
  replacements: readonly Replacement[]
}

const muted = `...(restProps["aria-label"] || onClick ? { role: "img", "aria-label": icon.name } : { "aria-hidden": true })`

/** The library has words for the whole page, but none for a row: app/providers.tsx gives it to the texts of tables. */
const nameOfRow = 'tableLocale.selectRow?.(index + 1)'

const corrections: readonly Correction[] = [
  {
    file: /[\\/]@ant-design[\\/]icons[\\/]es[\\/]components[\\/]AntdIcon(Light)?\.js$/,
    replacements: [[/role: "img",\s*"aria-label": icon\.name/, muted]],
  },
  {
    file: /[\\/]antd[\\/]es[\\/]pagination[\\/]Pagination\.js$/,
    replacements: [
      [/(const prevIcon = [^;]*?type: "button",)/, '$1 "aria-label": locale.prev_page,'],
      [/(const nextIcon = [^;]*?type: "button",)/, '$1 "aria-label": locale.next_page,'],
      [/\}, \[direction, prefixCls\]\);/, '}, [direction, prefixCls, locale.prev_page, locale.next_page]);'],
    ],
  },
  {
    file: /[\\/]antd[\\/]es[\\/]table[\\/]hooks[\\/]useSelection\.js$/,
    replacements: [
      [/customizeSelections \? 'Custom selection' : 'Select all'/, 'tableLocale.selectAll'],
      // The box itself says whether it is ticked.
      [/checked \? `Row \$\{index \+ 1\} selected` : `Select row \$\{index \+ 1\}`/, nameOfRow],
      [/`Select row \$\{index \+ 1\}`/, nameOfRow],
    ],
  },
]

/** @returns undefined: nothing is to be corrected in the file */
export function corrected(file: string, code: string): string | undefined {
  const found = corrections.find((one) => one.file.test(file))
  return found?.replacements.reduce((text, [written, said]) => {
    if (!written.test(text))
      throw new Error(`antd writes ${written} in another way: build/spoken-names.ts is to follow`)
    return text.replace(written, said)
  }, code)
}

export const spokenNames = (): Plugin => ({
  name: 'ithings:spoken-names',
  apply: 'build',
  transform: {
    filter: { id: corrections.map(({ file }) => file) },
    handler: (code, id) => ({ code: corrected(id, code) ?? code, map: null }),
  },
})
