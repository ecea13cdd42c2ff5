/** Reads one file for the check of texts (docs/design/language.md): its texts, and what no English reader would understand. */
import { parseSync } from 'oxc-parser'

export const chinese = /\p{Script=Han}|[，。：；！？（）「」、【】]/u

/** A line with this comment holds what is no text for people: a sample, a word to look for in what people wrote. */
const exempt = /not a text\b/

const isComparison = (parent) =>
  (parent.type === 'BinaryExpression' && /^[!=]==?$/.test(parent.operator)) || parent.type === 'SwitchCase'

/** The text of a literal, or undefined. */
function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'JSXText') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis.map((part) => part.value.cooked).join('{}')
  return undefined
}

/** What says a text, and which of its arguments the text is. */
const placeOf = new Map(Object.entries({ t: 0, phrase: 0, kept: 0, refusal: 1, badField: 1 }))

const definesEndpoint = (node) =>
  node.type === 'CallExpression' && /^(query|modify|add|remove|act|endpoint|endpointsOf)$/.test(node.callee.name ?? '')

/** Names of endpoints and of their groups, which the API page and the list of APIs show. */
function isName(node, parents) {
  const [call, , property] = parents.slice(-3)
  if (property.type === 'Property') return definesEndpoint(call) && /^(name|group)$/.test(property.key.name ?? '')
  return definesEndpoint(property) && property.arguments[property.callee.name === 'endpointsOf' ? 0 : 1] === node
}

/** `toLocaleString()` and its like without a language. */
const saysNumberAsBrowser = ({ type, callee, arguments: given }) =>
  type === 'CallExpression' &&
  /^toLocale(Date|Time)?String$/.test(callee.property?.name ?? '') &&
  (given[0] === undefined || given[0].name === 'undefined')

/**
 * @param {string} path @param {string} source
 * @returns {{ keys: string[], faults: string[], names: string[] }} texts that are shown, Chinese that bypasses `t`, and
 *   names of endpoints: the server says them in refusals, the console never does
 */
export function readTexts(path, source) {
  const keys = []
  const faults = []
  const names = []
  const lines = source.split('\n')
  const lineOf = (node) => source.slice(0, node.start).split('\n').length
  const visit = (node, parents, inFunction) => {
    if (Array.isArray(node)) for (const one of node) visit(one, parents, inFunction)
    if (!node || typeof node.type !== 'string') return
    const parent = parents.at(-1)
    const text = textOf(node)
    if (text !== undefined && chinese.test(text)) {
      const line = lineOf(node)
      const isKey = parent.type === 'CallExpression' && parent.arguments[placeOf.get(parent.callee.name) ?? -1] === node
      const isPlain = node.type === 'Literal' || (node.type === 'TemplateLiteral' && node.expressions.length === 0)
      const isLabel =
        (parent.type === 'LogicalExpression' || parent.type === 'ConditionalExpression') &&
        parents.at(-2)?.arguments?.[placeOf.get(parents.at(-2).callee.name) ?? -1] === parent
      if (exempt.test(lines[line - 1] ?? '') || exempt.test(lines[line - 2] ?? '')) return
      if (
        /^TS|ImportDeclaration/.test(parent.type) &&
        parent.type !== 'TSAsExpression' &&
        parent.type !== 'TSSatisfiesExpression'
      )
        return
      if (isComparison(parent)) faults.push(`${path}:${line} compares with the text ${JSON.stringify(text)}`)
      else if (isKey || isLabel || (!inFunction && isPlain)) {
        if (isKey || isLabel || !parents.some(definesEndpoint)) keys.push(text)
        else if (isName(node, parents)) names.push(text)
      } else
        faults.push(`${path}:${line} is not in any language but Chinese: ${JSON.stringify(text.trim().slice(0, 40))}`)
    }
    if (saysNumberAsBrowser(node))
      faults.push(`${path}:${lineOf(node)} is in the language of the browser, not in the chosen one: toLocale…()`)
    const isFunction = /Function/.test(node.type)
    for (const key in node) if (key !== 'type') visit(node[key], [...parents, node], inFunction || isFunction)
  }
  visit(parseSync(path, source).program, [], false)
  return { keys, faults, names }
}

/** Comments of style sheets and pages, whose lines still count. */
const remarks = /\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g

/**
 * Styles, pages and the manifest cannot say a text by `t`: it comes from elsewhere (`attr(data-label)`), is said in both
 * languages, or needs none.
 * @param {string} path @param {string} source @returns {string[]} faults
 */
export function readStanding(path, source) {
  const lines = source.split('\n')
  const bare = source.replace(remarks, (remark) => remark.replace(/[^\n]/g, ' ')).split('\n')
  return bare.flatMap((line, at) =>
    chinese.test(line) && !exempt.test(lines[at] ?? '') && !exempt.test(lines[at - 1] ?? '')
      ? [`${path}:${at + 1} is in Chinese whatever language is chosen: ${line.trim().slice(0, 40)}`]
      : [],
  )
}
