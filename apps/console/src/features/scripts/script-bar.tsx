import { DiffOutlined, FileAddOutlined, MoreOutlined } from '@ant-design/icons'
import { maxScriptBytes, type ProductCustom, saveDraft, updateCustom } from '@ithings/contract/features/scripts.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Dropdown } from 'antd'
import { RichText } from '#kit/rich-text.tsx'
import { ActButton, useHeld, useMay } from '#kit/rights.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { clockTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { type ScriptTemplate, scriptTemplates } from './templates.ts'
import { bytesOf, type ScriptDraft } from './use-script-draft.ts'

interface ScriptBarProps {
  custom: ProductCustom
  draft: ScriptDraft
  onTemplate: (template: ScriptTemplate) => void
  onCompare: () => void
  onPublish: () => void
  onStop: () => void
  onRevert: () => void
}

const kilobyte = 1024

/** Name, state of publication and draft, and the one primary button. */
export function ScriptBar(props: ScriptBarProps) {
  const { custom, draft, onTemplate, onCompare, onPublish, onStop, onRevert } = props
  const phone = usePhone()
  const changed = draft.text !== custom.transformScript
  const published = custom.transformScript !== ''
  const writable = useMay()(saveDraft)
  const more = useHeld()([
    { key: 'revert', label: t('放弃草稿'), needs: saveDraft, disabled: !changed || !published, onClick: onRevert },
    { key: 'stop', label: t('停用解析'), needs: updateCustom, disabled: !published, onClick: onStop },
  ])
  return (
    <div className="row wrap between gap-16" role="toolbar" aria-label={t('脚本工具栏')}>
      <span className="row wrap gap-8">
        <b>{t('解析脚本')}</b>
        {published ? (
          <StatusTag filled text={t('解析中')} tone="success" />
        ) : (
          <StatusTag filled text={t('未启用')} tone="default" />
        )}
        {changed && <StatusTag filled text={t('草稿')} tone="warning" />}
        {published && !phone && (
          <span className="meta">
            <RichText text={t('发布于 <0/>')} parts={[<TimeText key="time" value={custom.publishedTime} />]} />
          </span>
        )}
      </span>
      <span className="row wrap gap-8">
        {writable && (
          <Dropdown
            trigger={['click']}
            menu={{
              items: scriptTemplates.map((template) => ({
                key: template.key,
                label: (
                  <span className="flex between gap-24">
                    {t(template.name)}
                    <span className="meta">{t(template.hint)}</span>
                  </span>
                ),
                onClick: () => onTemplate(template),
              })),
            }}
          >
            <Button icon={<FileAddOutlined />}>{t('模板')}</Button>
          </Dropdown>
        )}
        <Button icon={<DiffOutlined />} disabled={!changed} onClick={onCompare}>
          {t('对比')}
        </Button>
        {more.length > 0 && (
          <Dropdown trigger={['click']} menu={{ items: more }}>
            <Button icon={<MoreOutlined />} aria-label={t('更多')} />
          </Dropdown>
        )}
        <ActButton
          needs={updateCustom}
          type="primary"
          disabled={!changed || draft.text.trim() === '' || draft.status === 'too-long'}
          onClick={onPublish}
        >
          {t('发布')}
        </ActButton>
      </span>
    </div>
  )
}

/** Under the editor: language, size, and whether the draft is safe. */
export function ScriptFoot({ draft }: { draft: ScriptDraft }) {
  const size = bytesOf(draft.text)
  return (
    <div className="meta flex wrap gap-16 tight">
      <span>JavaScript</span>
      <span className={size > maxScriptBytes ? 'tone-error' : ''}>
        {(size / kilobyte).toFixed(1)} / {maxScriptBytes / kilobyte} KB
      </span>
      <span className="to-end" role="status">
        <DraftState draft={draft} />
      </span>
    </div>
  )
}

function DraftState({ draft }: { draft: ScriptDraft }) {
  switch (draft.status) {
    case 'saved':
      return draft.savedAt === undefined ? null : t('草稿已保存 {time}', { time: clockTime(draft.savedAt) })
    case 'waiting':
    case 'saving':
      return <>{t('草稿保存中…')}</>
    case 'too-long':
      return <span className="tone-error">{t('超过 128 KB，草稿没有保存')}</span>
    case 'failed':
      return (
        <span className="tone-error">
          {t('草稿没有保存：{problem}', { problem: draft.problem })}
          <button type="button" className="plain-button inline-link tone-processing" onClick={() => void draft.flush()}>
            {t('重试')}
          </button>
        </span>
      )
  }
}
