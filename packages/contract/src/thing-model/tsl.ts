/** The model as one document (thing-model.md 1): import with faults by line, export in one fixed form. */
import { t } from '#text.ts'
import { dropNulls } from '../wire.ts'
import { JsonFault, type JsonPlace, lineOf, readPlaces } from './json-places.ts'
import { normaliseModel, rawModel, type ThingModel } from './model.ts'
import { describeShape, type ModelIssue } from './model-issue.ts'

const nothing: ThingModel = { properties: [], events: [], actions: [] }

export interface ReadModel {
  /** Complete when there are no issues. */
  model: ThingModel
  issues: ModelIssue[]
}

/** Editors on Windows put it in front of the text. */
const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '')

export function readTslText(text: string): ReadModel {
  const source = withoutByteOrderMark(text)
  let places: JsonPlace
  try {
    places = readPlaces(source)
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault
    const where = t('第 {line} 行第 {column} 列', { line: fault.line, column: fault.column })
    return {
      model: nothing,
      issues: [{ path: '', text: t('模板的json格式不对，{where}：{message}', { where, message: fault.message }) }],
    }
  }
  const withLine = (issue: ModelIssue): ModelIssue => ({ ...issue, line: lineOf(places, issue.path) })
  // null = absent (http-api.md 1), here too: existing documents have null for an empty list.
  const parsed = rawModel.safeParse(dropNulls(JSON.parse(source)))
  if (!parsed.success) return { model: nothing, issues: describeShape(parsed.error).map(withLine) }
  const { model, issues } = normaliseModel(parsed.data)
  return { model, issues: issues.map(withLine) }
}

/** All keys always present, in the order of thing-model.md 1, whatever order the store gave them. */
export function writeTslText(model: ThingModel, productID: string): string {
  const { properties, events, actions } = normaliseModel(model).model
  return JSON.stringify({ version: '', properties, events, actions, profile: { productID } }, null, 2)
}
