/** The functions that are known, with what they take and answer. */
import type { ValueType } from './ast.ts'

export interface Signature {
  args: ValueType[]
  /** So many of the arguments may be left out; `Infinity`: the last one may be repeated. */
  optional: number
  returns: ValueType
}

const known = new Map<string, Signature>()
const add = (names: string, args: ValueType[], returns: ValueType = 'vector', optional = 0): void => {
  for (const name of names.split(' ')) known.set(name, { args, optional, returns })
}

add('abs ceil floor exp sqrt ln log2 log10 sgn sort sort_desc timestamp absent', ['vector'])
add('acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh deg rad', ['vector'])
add('round', ['vector', 'scalar'], 'vector', 1)
add('clamp', ['vector', 'scalar', 'scalar'])
add('clamp_min clamp_max', ['vector', 'scalar'])
add('minute hour day_of_week day_of_month day_of_year days_in_month month year', ['vector'], 'vector', 1)
add('rate irate increase delta idelta deriv changes resets', ['matrix'])
add('avg_over_time min_over_time max_over_time sum_over_time count_over_time', ['matrix'])
add('last_over_time first_over_time stddev_over_time stdvar_over_time present_over_time absent_over_time', ['matrix'])
add('quantile_over_time', ['scalar', 'matrix'])
add('predict_linear', ['matrix', 'scalar'])
add('label_replace', ['vector', 'string', 'string', 'string', 'string'])
add('label_join', ['vector', 'string', 'string', 'string'], 'vector', Number.POSITIVE_INFINITY)
add('scalar', ['vector'], 'scalar')
add('vector', ['scalar'])
add('time pi', [], 'scalar')

export const signatureOf = (name: string): Signature | undefined => known.get(name)

/** limitk and limit_ratio are experiments of Prometheus. */
export const aggregations = new Set(
  'sum avg min max count group stddev stdvar topk bottomk quantile count_values'.split(' '),
)
