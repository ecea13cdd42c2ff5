import { t } from '@ithings/contract/text.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CodeBlock } from '#kit/code-block.tsx'
import { CopyButton } from '#kit/copyable.tsx'
import type { HelpPage } from '#kit/paths.ts'
import { resolveLink } from '../guide-links.ts'
import type { Inline } from '../markdown/parse-inline.ts'
import type { Block } from '../markdown/parse-markdown.ts'
import './article.css'

const keyed = <T,>(list: readonly T[]): Array<{ key: string; one: T }> =>
  list.map((one, i) => ({ key: String(i), one }))

function GuideAnchor({ to, page, children }: { to: string; page: HelpPage; children: ReactNode }) {
  const link = resolveLink(to, page)
  if (link.kind === 'inside') return <Link to={link.to}>{children}</Link>
  if (link.kind === 'none') return <span>{children}</span>
  return (
    <a href={link.href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

function Words({ parts, page }: { parts: readonly Inline[]; page: HelpPage }) {
  return keyed(parts).map(({ key, one }) => {
    if (one.kind === 'text') return <span key={key}>{one.text}</span>
    if (one.kind === 'code') return <code key={key}>{one.text}</code>
    const inner = <Words parts={one.parts} page={page} />
    if (one.kind === 'strong') return <strong key={key}>{inner}</strong>
    return (
      <GuideAnchor key={key} to={one.to} page={page}>
        {inner}
      </GuideAnchor>
    )
  })
}

function Sample({ language, text }: { language: string; text: string }) {
  return (
    <div className="guide-code below-16 bare boxed head-fill">
      <div className="row between line-bottom small quiet" style={{ height: 32, padding: '0 8px 0 12px' }}>
        <span>{language}</span>
        <CopyButton text={text} label={t('复制代码')} />
      </div>
      <CodeBlock>{text}</CodeBlock>
    </div>
  )
}

function Heading({ block, page }: { block: Extract<Block, { kind: 'heading' }>; page: HelpPage }) {
  const Tag = (['h1', 'h2', 'h3', 'h4'] as const)[Math.min(block.level, 4) - 1] ?? 'h4'
  return (
    <Tag id={block.slug}>
      <Words parts={block.parts} page={page} />
    </Tag>
  )
}

function Table({ block, page }: { block: Extract<Block, { kind: 'table' }>; page: HelpPage }) {
  return (
    <div className="below-16 bare boxed" style={{ overflowX: 'auto' }}>
      <table>
        <thead>
          <tr>
            {keyed(block.head).map(({ key, one }) => (
              <th key={key} scope="col">
                <Words parts={one} page={page} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(block.rows).map(({ key, one: row }) => (
            <tr key={key}>
              {keyed(row).map(({ key: column, one }) => (
                <td key={column}>
                  <Words parts={one} page={page} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function List({ block, page }: { block: Extract<Block, { kind: 'list' }>; page: HelpPage }) {
  const items = keyed(block.items).map(({ key, one }) => (
    <li key={key}>
      <Blocks blocks={one} page={page} />
    </li>
  ))
  return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>
}

function OneBlock({ block, page }: { block: Block; page: HelpPage }) {
  switch (block.kind) {
    case 'heading':
      return <Heading block={block} page={page} />
    case 'paragraph':
      return (
        <p>
          <Words parts={block.parts} page={page} />
        </p>
      )
    case 'code':
      return <Sample language={block.language} text={block.text} />
    case 'list':
      return <List block={block} page={page} />
    case 'table':
      return <Table block={block} page={page} />
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} page={page} />
        </blockquote>
      )
  }
}

function Blocks({ blocks, page }: { blocks: readonly Block[]; page: HelpPage }) {
  return keyed(blocks).map(({ key, one }) => <OneBlock key={key} block={one} page={page} />)
}

export function Article({ blocks, page }: { blocks: readonly Block[]; page: HelpPage }) {
  return (
    <article className="guide line-24">
      <Blocks blocks={blocks} page={page} />
    </article>
  )
}
