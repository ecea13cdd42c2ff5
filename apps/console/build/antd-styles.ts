/**
 * The styles of antd's components, written at build time. Left to itself the library makes them in the browser, at each
 * load, out of functions. Its rules name CSS variables only, which theme.ts
 * gives their values in the light and in the dark (antd's `zeroRuntime`), so that one sheet serves all themes.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createElement, type FunctionComponent, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)

/** A file of antd/es that makes styles, and the class names it makes them for; none: it comes along and is never shown. */
const sheets: Record<string, readonly string[]> = {
  '_util/wave/style': ['wave'],
  'alert/style/index': ['alert'],
  'app/style/index': ['app'],
  'avatar/style/index': ['avatar'],
  'badge/style/index': ['badge'],
  'badge/style/ribbon': [],
  'button/style/compact': ['btn'],
  'button/style/index': ['btn'],
  'checkbox/style/index': ['checkbox'],
  'collapse/style/index': ['collapse'],
  'date-picker/style/index': ['picker'],
  'descriptions/style/index': ['descriptions'],
  'drawer/style/index': ['drawer'],
  'dropdown/style/index': ['dropdown'],
  'empty/style/index': ['empty'],
  'form/style/fallbackCmp': ['form'],
  'form/style/index': ['form'],
  'grid/style/index': ['row', 'col'],
  'image/style/index': ['image'],
  'input-number/style/index': ['input-number'],
  'input/style/index': ['input'],
  'input/style/otp': [],
  'input/style/search': ['input-search'],
  'input/style/textarea': ['input'],
  'layout/style/index': [],
  'layout/style/sider': [],
  'menu/style/index': ['menu'],
  'message/style/index': ['message'],
  'modal/style/confirm': ['modal'],
  'modal/style/index': ['modal'],
  'notification/style/index': ['notification'],
  'pagination/style/bordered': ['pagination'],
  'pagination/style/index': ['pagination'],
  'popover/style/index': ['popover'],
  'progress/style/index': ['progress'],
  'qr-code/style/index': ['qrcode'],
  'radio/style/index': ['radio'],
  'result/style/index': ['result'],
  'segmented/style/index': ['segmented'],
  'select/style/index': ['select'],
  'skeleton/style/index': ['skeleton'],
  'space/style/addon': ['space-addon'],
  'space/style/compact': ['space-compact'],
  'space/style/index': ['space'],
  'spin/style/index': ['spin'],
  'steps/style/index': ['steps'],
  'switch/style/index': ['switch'],
  'table/style/index': ['table'],
  'tabs/style/index': ['tabs'],
  'tag/style/index': ['tag'],
  'tag/style/presetCmp': ['tag'],
  'tag/style/statusCmp': ['tag'],
  'tooltip/style/index': ['tooltip'],
  'tree-select/style/index': ['tree-select', 'select-tree'],
  'tree/style/index': ['tree'],
  'upload/style/index': ['upload'],
}

const makers = /\b(genStyleHooks|genSubStyleComponent|genComponentStyleHook)\(/

/** A hook that registers what it makes, or a component that does so when it is drawn. */
type Maker = ((...classes: string[]) => unknown) & FunctionComponent<{ prefixCls: string }>

type Makers = Partial<Record<'default' | 'useSharedStyle' | 'useRowStyle' | 'useColStyle', Maker>>

function Sheet({ file, classes }: { file: string; classes: readonly string[] }): ReactNode {
  const path = require.resolve(`antd/lib/${file}`)
  const { default: maker, useSharedStyle: shared, useRowStyle: row, useColStyle: col }: Makers = require(path)
  const [first = '', second = first] = classes.map((name) => `ant-${name}`)
  if (first === '') return null
  if (maker && /exports\.default = \(0, \w+\.genSubStyleComponent\)\(/.test(readFileSync(path, 'utf8')))
    return createElement(maker, { prefixCls: first })
  // Drawn once: there is no second time at which another order of hooks could matter.
  shared?.(first, first)
  row?.(first)
  col?.(second)
  maker?.(first, second)
  return null
}

/**
 * In a cascade layer, which every rule of ours outside of layers wins over, however many classes antd's names. Rules for
 * plain elements stand in the same layer (kit/theme/base.css): they should lose to antd's components.
 * @param theme as antd's ConfigProvider takes it; whichever it is, the sheet is the same
 */
export function makeSheet(theme: object): string {
  const { createCache, extractStyle, StyleProvider } = require('@ant-design/cssinjs')
  const { ConfigProvider } = require('antd')
  const cache = createCache()
  const drawn = Object.entries(sheets).map(([file, classes]) => createElement(Sheet, { key: file, file, classes }))
  renderToString(createElement(StyleProvider, { cache }, createElement(ConfigProvider, { theme }, drawn)))
  return `@layer antd {\n${extractStyle(cache, { plain: true, types: 'style' })}\n}`
}

const libraryFile = /[\\/]antd[\\/]es[\\/](.+)\.js$/
const fileOf = (id: string): string | undefined => libraryFile.exec(id)?.[1]?.replaceAll('\\', '/')

/** The code without the functions that make styles. */
export const withoutMakers = (code: string, parse: (code: string) => unknown): string =>
  findMakers(parse(code)).reduceRight(
    (text, { start, end }) => `${text.slice(0, start)}() => []${text.slice(end)}`,
    code,
  )

interface Node {
  type?: string
  start: number
  end: number
  callee?: { name?: string }
  arguments?: Node[]
}

/** The second arguments of the calls, from the first to the last. */
function findMakers(node: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(node)) for (const one of node) findMakers(one, found)
  else if (typeof node === 'object' && node !== null) {
    const { type, callee, arguments: given } = node as Node
    const second = given?.[1]
    if (type === 'CallExpression' && second && makers.test(`${callee?.name}(`)) found.push(second)
    else for (const one of Object.values(node)) findMakers(one, found)
  }
  return found
}

/** Empty in the sources. */
const sheetFile = /[\\/]kit[\\/]theme[\\/]antd\.css$/

export function antdStyles(): Plugin {
  /** Files that make styles and are not in the sheet. The library's index names them all; few are used in the end. */
  const unnamed = new Set<string>()
  return {
    name: 'ithings:antd-styles',
    load: {
      filter: { id: sheetFile },
      handler: () => makeSheet({ cssVar: { key: 'build' }, hashed: false }),
    },
    transform: {
      filter: { id: libraryFile, code: makers },
      handler(code, id) {
        if ((fileOf(id) ?? '') in sheets) return { code: withoutMakers(code, (text) => this.parse(text)), map: null }
        unnamed.add(id)
        return undefined
      },
    },
    generateBundle(_, bundle) {
      const used = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? Object.entries(one.modules) : []))
      const missing = used.filter(([id, { renderedLength }]) => renderedLength > 0 && unnamed.has(id))
      if (missing.length === 0) return
      const files = missing.map(([id]) => fileOf(id)).join(', ')
      this.error(`the console uses styles of antd that build/antd-styles.ts does not name: ${files}`)
    },
  }
}
