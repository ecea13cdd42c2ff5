/** A fault of a model: where it is and what is wrong, in words for the person who edits it. */

import type * as z from 'zod'
import { t } from '#text.ts'
import { describeIssue } from '../describe-issue.ts'

export interface ModelIssue {
  /** Like `properties.temp.define.max`; empty for the document itself. */
  path: string
  text: string
  /** 1-based line of the imported text, where it is known. */
  line?: number
}

export type Report = (issue: ModelIssue) => void

export const at = (path: string, part: string): string => (path === '' ? part : `${path}.${part}`)

/** The same for what is not even shaped like a model: a missing key, a list that is a text ... */
export const describeShape = (error: z.ZodError): ModelIssue[] =>
  error.issues.map((issue) => ({
    path: issue.path.join('.'),
    text: describeIssue(issue, String(issue.path.at(-1) ?? t('文档'))),
  }))
