import { diffLines, foldDiff } from '@ithings/contract/line-diff.ts'
import { t } from '@ithings/contract/text.ts'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import type { Opened } from '#kit/use-dialog.ts'

const signs = { same: ' ', added: '+', removed: '-' } as const

/** What 发布 would change. */
export function DiffDrawer({ published, draft, open, onClose }: Opened & { published: string; draft: string }) {
  const lines = open ? diffLines(published, draft) : []
  const added = lines.filter((line) => line.kind === 'added').length
  const removed = lines.filter((line) => line.kind === 'removed').length
  return (
    <SideDrawer title={t('草稿与已发布的差异')} open={open} onClose={onClose} width={840}>
      {added + removed === 0 ? (
        <StateBlock variant="empty" title={t('没有差异')} text={t('草稿与已发布的脚本相同。')} />
      ) : (
        <>
          <p className="meta">{t('新增 {added} 行，移除 {removed} 行', { added, removed })}</p>
          <div className="line-20 scroll lined round-6 mono-payload">
            {foldDiff(lines).map((part) =>
              part.kind === 'gap' ? (
                <div key={`gap-${part.from}`} className="grey-fill quiet" style={{ padding: '4px 12px' }}>
                  {t('相同的 {count} 行', { count: part.count })}
                </div>
              ) : (
                <div
                  key={`${part.before ?? ''}/${part.after ?? ''}`}
                  className={`script-diff-line flex diff-${part.kind}`}
                >
                  <span className="diff-number head-fill end fixed quiet">{part.before ?? ''}</span>
                  <span className="diff-number head-fill end fixed quiet">{part.after ?? ''}</span>
                  <span className="centered fixed" style={{ width: 20, userSelect: 'none' }}>
                    {signs[part.kind]}
                  </span>
                  <span style={{ whiteSpace: 'pre', paddingInlineEnd: 12 }}>{part.text}</span>
                </div>
              ),
            )}
          </div>
        </>
      )}
    </SideDrawer>
  )
}
