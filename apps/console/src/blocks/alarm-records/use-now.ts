import { useEffect, useState } from 'react'
import { useVisible } from '#kit/auto-refresh.tsx'

/** The time, told anew at this pace; a hidden page rests. */
export function useNow(pace = 1000): number {
  const [now, setNow] = useState(() => Date.now())
  const visible = useVisible()
  useEffect(() => {
    if (!visible) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), pace)
    return () => clearInterval(timer)
  }, [visible, pace])
  return now
}
