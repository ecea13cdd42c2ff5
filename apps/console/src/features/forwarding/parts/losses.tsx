/** What deleting a rule takes with it: at once what the list knows, then with the messages that wait counted. */
import type { ForwardRule } from '@ithings/contract/features/forwarding/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { forwardQuery } from '../queries.ts'
import { lossTexts } from '../words.ts'

export function Losses({ rule }: { rule: ForwardRule }) {
  const { data } = useQuery(forwardQuery(rule.id))
  return lossTexts(data ?? rule).map((text) => <div key={text}>{text}</div>)
}
