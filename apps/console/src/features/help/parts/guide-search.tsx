import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { helpPath } from '#blocks/help-link.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { allGuidesQuery } from '../guides.ts'
import { markWords, searchGuides } from '../search-guides.ts'

function Marked({ text, keyword }: { text: string; keyword: string }) {
  return markWords(text, keyword).map((part, i) => {
    const key = `${i}${part.text}`
    return part.hit ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>
  })
}

/** All sections of all guides that hold the words. */
export function GuideSearch({ keyword, onOpen }: { keyword: string; onOpen: () => void }) {
  const { data, isError, error, isFetching, refetch } = useQuery(allGuidesQuery)
  const hits = useMemo(() => searchGuides(data ?? [], keyword), [data, keyword])
  if (isError) return <ErrorState subject="帮助" error={error} retrying={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  if (hits.length === 0) {
    return <StateBlock variant="no-match" title={`手册里没有“${keyword}”`} text="换一个词，或从目录里查找。" />
  }
  return (
    <section className="help-hits column gap-8" aria-label="搜索结果">
      <p className="meta" role="status">
        {hits.length} 个章节
      </p>
      {hits.map(({ page, guide, title, slug, excerpt }) => (
        <Link key={page + slug} className="help-hit column gap-4" to={helpPath(page, slug)} onClick={onOpen}>
          <span className="flex baseline bold gap-12">
            <Marked text={title} keyword={keyword} />
            <span className="meta">{guide}</span>
          </span>
          <span className="help-hit-text anywhere softer">
            <Marked text={excerpt} keyword={keyword} />
          </span>
        </Link>
      ))}
    </section>
  )
}
