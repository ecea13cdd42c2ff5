import { UploadOutlined } from '@ant-design/icons'
import { ImportMode } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Result, Segmented, Upload } from 'antd'
import { useState } from 'react'
import { CodeEditor } from '#kit/code-editor.tsx'
import { focusFirstField } from '#kit/first-field.ts'
import { DialogFooter } from '#kit/form/dialog-footer.tsx'
import { useSessionKey } from '#kit/form/use-session-key.ts'
import { SideDrawer } from '#kit/side-drawer.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { useMemo } from '#language/use-memo.ts'
import { DiffList, diffWords, isSame } from './diff-list.tsx'
import { referenceWords } from './references.tsx'
import { isEmptyModel, type TslIssue } from './tsl-check.ts'
import { useImport, type WriteMode } from './use-import.ts'

interface ImportDrawerProps extends Opened {
  productID: string
}

export function ImportDrawer(props: ImportDrawerProps) {
  const key = useSessionKey(props.open)
  return <Panel key={key} {...props} />
}

type Import = ReturnType<typeof useImport>

/** screens.md 4.2: text or file, faults by line, what would change, and only then the change. */
function Panel({ productID, open, onClose }: ImportDrawerProps) {
  const work = useImport(productID)
  return (
    <SideDrawer
      title={t('导入物模型')}
      open={open}
      onClose={onClose}
      width={720}
      unsaved={work.text.trim() !== '' && !work.result && t('还没有写入任何内容，离开后粘贴的文本将丢失。')}
      busy={work.busy}
      afterOpenChange={focusFirstField}
      footer={(close) => <Footer work={work} onClose={onClose} onCancel={close} />}
    >
      {work.result ? (
        <>
          <Result
            status="success"
            title={
              isSame(work.result)
                ? t('内容相同，没有改动')
                : t('导入完成：{changes}', { changes: diffWords(work.result) })
            }
            subTitle={isSame(work.result) ? undefined : t('改动已记入版本，可以随时恢复。')}
          />
          <DiffList diff={work.result} />
        </>
      ) : work.preview ? (
        <PreviewStep work={work} />
      ) : (
        <TextStep work={work} />
      )}
    </SideDrawer>
  )
}

function Footer({ work, onClose, onCancel }: { work: Import; onClose: () => void; onCancel: () => void }) {
  if (work.result) {
    return (
      <DialogFooter failure={work.failure}>
        <Button type="primary" onClick={onClose}>
          {t('完成')}
        </Button>
      </DialogFooter>
    )
  }
  const { preview, check, busy } = work
  const nothing = preview !== undefined && isSame(withoutKept(work))
  return (
    <DialogFooter
      failure={work.failure}
      problems={check?.ok === false ? check.issues.length : 0}
      left={
        preview && (
          <Button type="text" disabled={busy} onClick={work.back}>
            {t('返回修改')}
          </Button>
        )
      }
    >
      <Button onClick={onCancel} disabled={busy}>
        {t('取消')}
      </Button>
      {preview ? (
        <Button type="primary" loading={busy} disabled={nothing} onClick={() => void work.write()}>
          {work.mode === ImportMode.merge ? t('合并') : t('替换')}
        </Button>
      ) : (
        <Button type="primary" loading={busy} disabled={!check?.ok} onClick={() => void work.compare()}>
          {t('下一步：对比')}
        </Button>
      )}
    </DialogFooter>
  )
}

/** What the chosen mode will really do. */
const withoutKept = ({ preview, mode }: Import) => {
  const diff = preview?.diff ?? { added: [], changed: [], removed: [] }
  return mode === ImportMode.merge ? { ...diff, removed: [] } : diff
}

function TextStep({ work }: { work: Import }) {
  const { check } = work
  const issues = check?.ok === false ? check.issues : noIssues
  const marks = useMemo(
    () => issues.map(({ line, text, path }) => ({ line, message: path ? t('{path}：{text}', { path, text }) : text })),
    [issues],
  )
  const [goTo, setGoTo] = useState<{ line: number }>()
  return (
    <div className="column gap-12">
      <div className="row wrap between gap-8">
        <span className="meta">{t('粘贴 TSL 文档，或选择 tsl.json 文件。这一步不会改动现有物模型。')}</span>
        <Upload
          accept=".json,application/json"
          showUploadList={false}
          beforeUpload={(file) => {
            void file.text().then(work.change)
            return false
          }}
        >
          <Button icon={<UploadOutlined />}>{t('选择文件')}</Button>
        </Upload>
      </div>
      <CodeEditor
        language="json"
        aria-label={t('TSL 文档')}
        height={issues.length > 0 ? 'calc(100vh - 480px)' : 'calc(100vh - 240px)'}
        value={work.text}
        marks={marks}
        goTo={goTo}
        onChange={work.change}
      />
      {check?.ok && isEmptyModel(check.model) && (
        <Alert type="warning" showIcon title={t('文档里没有任何功能；选择「替换」会清空物模型。')} />
      )}
      {issues.length > 0 && <IssueList issues={issues} onPick={(line) => setGoTo({ line })} />}
    </div>
  )
}

const noIssues: TslIssue[] = []

function IssueList({ issues, onPick }: { issues: readonly TslIssue[]; onPick: (line: number) => void }) {
  return (
    <ul className="scroll lined round-6 bare-list" style={{ maxHeight: 220 }} aria-label={t('待修正')}>
      {issues.map(({ line, column, path, text }) => (
        <li key={`${line}/${path}/${text}`}>
          <button
            type="button"
            className="plain-button issue-row hover-fill start flex wrap wide gap-12 tight"
            onClick={() => onPick(line)}
          >
            <span className="quiet" style={{ minWidth: 64 }}>
              {column ? t('第 {line} 行 第 {column} 列', { line, column }) : t('第 {line} 行', { line })}
            </span>
            <span className="grow tone-error">{text}</span>
            {path && <span className="mono whole-line small quiet anywhere">{path}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}

const modes: { value: WriteMode; label: string }[] = [
  { value: ImportMode.merge, label: '合并' },
  { value: ImportMode.replace, label: '替换' },
]

function PreviewStep({ work }: { work: Import }) {
  const { preview, mode, references } = work
  if (!preview) return null
  const removes = mode === ImportMode.replace && preview.diff.removed.length > 0
  return (
    <div className="column gap-12">
      <div className="row wrap between gap-8">
        <Segmented
          aria-label={t('导入方式')}
          value={mode}
          options={modes.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={work.setMode}
        />
        <span className="meta">
          {mode === ImportMode.merge
            ? t('文件中没有的功能保留不动')
            : t('物模型与文件完全一致，文件中没有的功能将移除')}
        </span>
      </div>
      {references.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t(removes ? '{references}正在使用将移除或改变类型的功能' : '{references}正在使用将改变类型的功能', {
            references: referenceWords(references),
          })}
          description={t('类型改变或移除后，按旧定义保存的历史数据不再显示，并随保存期限清除。')}
        />
      )}
      <DiffList diff={preview.diff} keepRemoved={mode === ImportMode.merge} />
    </div>
  )
}
