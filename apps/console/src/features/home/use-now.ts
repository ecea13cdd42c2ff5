import { useEffect, useState } from 'react'

/** The time, again every so often; the first tick falls on a whole second so that the clock does not lag. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const at = Date.now()
      setNow(at)
      timer = setTimeout(tick, everyMs - (at % everyMs))
    }
    timer = setTimeout(tick, everyMs - (Date.now() % everyMs))
    return () => clearTimeout(timer)
  }, [everyMs])
  return now
}
