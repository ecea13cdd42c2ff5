import { useEffect, useState } from 'react'

const glowMs = 3000

/** look.md "Live": what a value was before, for a moment after it changed on the screen; the first one is no change. */
export function useChanged(text: string, timestamp: number): string | undefined {
  const [{ seen, at, from }, set] = useState<{ seen: string; at: number; from?: string }>({ seen: text, at: timestamp })
  if (text !== seen) set(at > 0 ? { seen: text, at: timestamp, from: seen } : { seen: text, at: timestamp })
  useEffect(() => {
    if (from === undefined) return
    const timer = setTimeout(() => set((now) => ({ seen: now.seen, at: now.at })), glowMs)
    return () => clearTimeout(timer)
  }, [from])
  return from
}
