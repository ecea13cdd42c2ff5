import { type AttentionKind, attentionKinds } from '@ithings/contract/features/home.ts'
import { useSearchParams } from 'react-router'

const name = 'attention'

interface AttentionChoice {
  /** Whose list is open. */
  kind: AttentionKind | undefined
  /** The same screen, as full as it is, with the list of this kind. */
  to: (kind: AttentionKind) => { search: string }
  choose: (kind: AttentionKind | undefined) => void
}

/** The open list stands in the address, so that it can be sent to somebody and the way back closes it. */
export function useAttention(): AttentionChoice {
  const [params, setParams] = useSearchParams()
  const text = params.get(name)
  const withKind = (kind: AttentionKind | undefined) => {
    const next = new URLSearchParams(params)
    if (kind) next.set(name, kind)
    else next.delete(name)
    return next
  }
  return {
    kind: attentionKinds.find((one) => one === text),
    to: (kind) => ({ search: `?${withKind(kind)}` }),
    choose: (kind) => setParams(withKind(kind), { replace: true }),
  }
}
