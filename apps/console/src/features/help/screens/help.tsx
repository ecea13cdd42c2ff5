import { SearchOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Collapse, Input, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { type HelpPage, helpPages, helpPath } from '#kit/paths.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useLanguage } from '#language/language.ts'
import { useMemo } from '#language/use-memo.ts'
import { allGuidesQuery, guideQuery } from '../guides.ts'
import { type Section, samePlace, sectionsOf } from '../markdown/sections.ts'
import { Article } from '../parts/article.tsx'
import './help.css'
import { markWords, searchGuides } from '../search-guides.ts'

/** In one piece, whatever stands beside it: what is found may be a part of a word. */
function Marked({ text, keyword }: { text: string; keyword: string }) {
  const parts = markWords(text, keyword).map((part, i) => {
    const key = `${i}${part.text}`
    return part.hit ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>
  })
  return <span>{parts}</span>
}

/** All sections of all guides that hold the words. */
function GuideSearch({ keyword, onOpen }: { keyword: string; onOpen: () => void }) {
  const { data, isError, error, isFetching, refetch } = useQuery(allGuidesQuery(useLanguage()))
  const hits = useMemo(() => searchGuides(data ?? [], keyword), [data, keyword])
  if (isError)
    return <ErrorState subject={t('帮助')} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  if (hits.length === 0) {
    return (
      <StateBlock
        variant="no-match"
        title={t('手册里没有“{keyword}”', { keyword })}
        text={t('换一个词，或从目录里查找。')}
      />
    )
  }
  return (
    <section className="column gap-8" style={{ maxWidth: 880 }} aria-label={t('搜索结果')}>
      <p className="meta" role="status">
        {t('{count} 个章节', { count: hits.length })}
      </p>
      {hits.map(({ page, guide, title, slug, excerpt }) => (
        <Link
          key={page + slug}
          className="help-hit boxed pad-12-16 container-fill main-text column gap-4"
          to={helpPath(page, slug)}
          onClick={onOpen}
        >
          <span className="flex baseline bold gap-12">
            <Marked text={title} keyword={keyword} />
            <span className="meta">{t(guide)}</span>
          </span>
          <span className="line-20 size-13 anywhere softer">
            <Marked text={excerpt} keyword={keyword} />
          </span>
        </Link>
      ))}
    </section>
  )
}

/** The heading that was passed last while reading. */
function useReading(slugs: string): string {
  const [reading, setReading] = useState('')
  useEffect(() => {
    const headings = slugs.split('\n').flatMap((slug) => document.getElementById(slug) ?? [])
    const look = () => {
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 96)
      setReading((passed.at(-1) ?? headings[0])?.id ?? '')
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [slugs])
  return reading
}

function Contents({ page, sections }: { page: HelpPage; sections: readonly Section[] }) {
  const listed = sections.filter(({ level }) => level === 2 || level === 3)
  const reading = useReading(listed.map(({ slug }) => slug).join('\n'))
  return (
    <nav className="column" aria-label={t('目录', { context: 'contents' })}>
      {listed.map(({ level, slug, title }) => (
        <Link
          key={slug}
          to={helpPath(page, slug)}
          className={level === 3 ? 'help-entry line-20 help-entry-inner' : 'help-entry line-20'}
          aria-current={slug === reading ? 'location' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}

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
        title={t('没有这本手册')}
        text={t('地址可能不完整。')}
        action={<Button onClick={() => void navigate(helpPath())}>{t('打开操作手册')}</Button>}
      />
    )
  }
  return (
    <div className="help">
      <div className="help-head row wrap between gap-12 below-16">
        <nav className="help-pages flex gap-4" aria-label={t('手册')}>
          {helpPages.map(({ key, title }) => (
            <Link
              key={key}
              className="help-page round-6 nowrap softer"
              to={helpPath(key)}
              aria-current={key === page && keyword === '' ? 'page' : undefined}
              onClick={() => setText('')}
            >
              {t(title)}
            </Link>
          ))}
        </nav>
        <Input
          className="help-search"
          prefix={<SearchOutlined />}
          placeholder={t('在全部手册中搜索')}
          aria-label={t('搜索手册')}
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

/**
 * The heading that the address names. Links of screens name it in Chinese, and an address may come from a reader of the
 * other language: then it is the heading at the same place. '': none; undefined: not known yet.
 */
function useNamedHeading(page: HelpPage, sections: readonly Section[]): string | undefined {
  const language = useLanguage()
  const slug = decodeURIComponent(useLocation().hash.slice(1))
  const strange = slug !== '' && sections.length > 0 && !sections.some((section) => section.slug === slug)
  const other = useQuery({ ...guideQuery(language === 'zh' ? 'en' : 'zh', page), enabled: strange })
  if (sections.length === 0) return undefined
  if (!strange) return slug
  if (other.data) return samePlace(slug, sectionsOf(other.data), sections) ?? ''
  return other.isError ? '' : undefined
}

/** To the heading of the address, once the text is there, also when it is asked for again; to the top of another guide. */
function useJump(page: HelpPage, sections: readonly Section[]) {
  const location = useLocation()
  const navigate = useNavigate()
  const slug = useNamedHeading(page, sections)
  useEffect(() => {
    if (slug === undefined) return
    const hash = slug === '' ? '' : `#${encodeURIComponent(slug)}`
    const heading = slug === '' ? null : document.getElementById(slug)
    if (hash !== '' && decodeURIComponent(location.hash) !== `#${slug}`) {
      void navigate({ search: location.search, hash }, { replace: true })
    } else if (heading) heading.scrollIntoView()
    else window.scrollTo(0, 0)
  }, [slug, location, navigate])
}

function Guide({ page }: { page: HelpPage }) {
  const phone = usePhone()
  const { data, isError, error, isFetching, refetch } = useQuery(guideQuery(useLanguage(), page))
  const sections = useMemo(() => sectionsOf(data ?? []), [data])
  useJump(page, sections)
  if (isError)
    return <ErrorState subject={t('帮助')} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active className="sheet help-sheet grow shrink" paragraph={{ rows: 12 }} />
  const contents = <Contents page={page} sections={sections} />
  return (
    <div className="help-columns flex top gap-16">
      {phone ? (
        <Collapse
          size="small"
          items={[{ key: 'contents', label: t('目录', { context: 'contents' }), children: contents }]}
        />
      ) : (
        <aside className="help-aside fixed">{contents}</aside>
      )}
      <div className="sheet help-sheet grow shrink">
        <Article blocks={data} page={page} />
      </div>
    </div>
  )
}
