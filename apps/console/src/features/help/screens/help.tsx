import { SearchOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Collapse, Input, Skeleton } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { type HelpPage, helpPages, helpPath } from '#blocks/help-link.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { guideQuery } from '../guides.ts'
import { sectionsOf } from '../markdown/sections.ts'
import { Article } from '../parts/article.tsx'
import { Contents } from '../parts/contents.tsx'
import { GuideSearch } from '../parts/guide-search.tsx'
import './help.css'

/** The guides of docs/, read and searched without any network. */
export function Help() {
  const params = useParams()
  const page = helpPages.find(({ key }) => key === params.page)?.key
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const keyword = text.trim()
  if (!page) {
    return (
      <StateBlock
        variant="no-match"
        title="没有这本手册"
        text="地址可能不完整。"
        action={<Button onClick={() => void navigate(helpPath())}>打开操作手册</Button>}
      />
    )
  }
  return (
    <div className="help">
      <div className="help-head">
        <nav className="help-pages flex gap-4" aria-label="手册">
          {helpPages.map(({ key, title }) => (
            <Link
              key={key}
              className="help-page nowrap softer"
              to={helpPath(key)}
              aria-current={key === page && keyword === '' ? 'page' : undefined}
              onClick={() => setText('')}
            >
              {title}
            </Link>
          ))}
        </nav>
        <Input
          className="help-search"
          prefix={<SearchOutlined />}
          placeholder="在全部手册中搜索"
          aria-label="搜索手册"
          allowClear
          maxLength={64}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {keyword === '' ? <Guide key={page} page={page} /> : <GuideSearch keyword={keyword} onOpen={() => setText('')} />}
    </div>
  )
}

/** To the heading of the address, once the text is there, also when it is asked for again; to the top of another guide. */
function useJump(ready: boolean) {
  const location = useLocation()
  useEffect(() => {
    if (!ready) return
    const slug = decodeURIComponent(location.hash.slice(1))
    const heading = slug === '' ? undefined : document.getElementById(slug)
    if (heading) heading.scrollIntoView()
    else window.scrollTo(0, 0)
  }, [ready, location])
}

function Guide({ page }: { page: HelpPage }) {
  const phone = usePhone()
  const { data, isError, error, isFetching, refetch } = useQuery(guideQuery(page))
  const sections = useMemo(() => sectionsOf(data ?? []), [data])
  useJump(data !== undefined)
  if (isError) return <ErrorState subject="帮助" error={error} retrying={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active className="sheet help-sheet grow shrink" paragraph={{ rows: 12 }} />
  const contents = <Contents page={page} sections={sections} />
  return (
    <div className="help-columns flex top gap-16">
      {phone ? (
        <Collapse size="small" items={[{ key: 'contents', label: '目录', children: contents }]} />
      ) : (
        <aside className="help-aside">{contents}</aside>
      )}
      <div className="sheet help-sheet grow shrink">
        <Article blocks={data} page={page} />
      </div>
    </div>
  )
}
