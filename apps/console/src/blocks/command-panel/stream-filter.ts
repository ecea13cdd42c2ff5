/** What of the stream is shown. Pure. */
import type { Exchange } from '../log-table/exchanges.ts'

export interface StreamFilter {
  way: 'all' | 'up' | 'down'
  action: string | undefined
  keyword: string
}

export const everything: StreamFilter = { way: 'all', action: undefined, keyword: '' }

/** An exchange is shown whole when any of its messages fits: a reply without its request explains nothing. */
export function fits(exchange: Exchange, { way, action, keyword }: StreamFilter): boolean {
  const wanted = keyword.trim().toLowerCase()
  return [exchange, ...exchange.replies].some(
    (row) =>
      (way === 'all' || row.way === way) &&
      (action === undefined || row.action === action) &&
      (wanted === '' ||
        [row.method, row.topic, row.requestID, row.content, row.msg].some((text) =>
          text.toLowerCase().includes(wanted),
        )),
  )
}
