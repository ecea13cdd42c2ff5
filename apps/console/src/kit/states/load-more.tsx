import { t } from '@ithings/contract/text.ts'
import { Button, Spin } from 'antd'
import { useEffect, useRef } from 'react'
import './states.css'

// spec 9: load-more scroll threshold 100 px.
export const loadMoreThreshold = 100

export interface LoadMoreProps {
  hasMore: boolean
  loading: boolean
  onMore: () => void
  failed?: boolean
  /** Shown once everything is loaded; empty shows nothing. */
  endText?: string
}

/** The last row of a growing list: asks for the next page when it comes within 100 px of the visible area. */
export function LoadMore({ hasMore, loading, onMore, failed, endText }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  more.current = onMore
  const armed = hasMore && !loading && !failed
  useEffect(() => {
    const node = end.current
    if (!node || !armed) return
    const root = nearestScroller(node)
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        // Asked once: who watches before the new rows have come would ask again.
        watch.disconnect()
        more.current()
      },
      { root, rootMargin: `0px 0px ${loadMoreThreshold}px 0px` },
    )
    watch.observe(node)
    return () => watch.disconnect()
    // After every drawing: an observer tells of changes only, a new one tells where the row is now.
  })
  if (!hasMore && !endText) return null
  return (
    <div ref={end} className="center high-44 row small quiet" aria-live="polite">
      {failed ? (
        <Button type="text" size="small" onClick={onMore}>
          {t('加载失败，重试')}
        </Button>
      ) : hasMore ? (
        <Spin size="small" />
      ) : (
        endText
      )}
    </div>
  )
}

// rootMargin only applies to the observer's own root, so the scrolling ancestor has to be named.
function nearestScroller(node: HTMLElement): HTMLElement | null {
  for (let at = node.parentElement; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY) && at !== document.body) return at
  }
  return null
}
