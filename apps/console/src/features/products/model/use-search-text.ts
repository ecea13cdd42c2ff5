import { useEffect, useState } from 'react'

const pause = 300

/** What is typed goes to the URL after a short pause; what the URL says (Back, 清空筛选) comes back into the box. */
export function useSearchText(current: string, onSearch: (text: string) => void): [string, (text: string) => void] {
  const [state, setState] = useState({ typed: current, seen: current })
  if (state.seen !== current) setState({ typed: current, seen: current })
  const { typed } = state
  useEffect(() => {
    if (typed.trim() === current) return
    const timer = setTimeout(() => onSearch(typed.trim()), pause)
    return () => clearTimeout(timer)
  }, [typed, current, onSearch])
  return [typed, (text) => setState((before) => ({ ...before, typed: text }))]
}
