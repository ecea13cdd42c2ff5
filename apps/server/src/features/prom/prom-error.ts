import { AppError, errors } from '@ithings/contract/errors.ts'
import type { Phrase } from '@ithings/contract/text.ts'

/** As Prometheus names what went wrong; the last three are ours, where it has no gate. */
export type ErrorType =
  | 'bad_data'
  | 'execution'
  | 'timeout'
  | 'canceled'
  | 'internal'
  | 'unavailable'
  | 'unauthorized'
  | 'forbidden'
  | 'too_many_requests'

/** A query that is refused: the words are for whoever draws the chart. */
export class PromError extends AppError {
  readonly type: ErrorType

  constructor(type: ErrorType, words: Phrase) {
    super(errors.parameter, { msg: words })
    this.name = 'PromError'
    this.type = type
  }
}

/** The query itself is wrong. */
export const badData = (words: Phrase): PromError => new PromError('bad_data', words)
/** The query is right, but cannot be answered with these data or within the limits. */
export const execution = (words: Phrase): PromError => new PromError('execution', words)
