import { UploadOutlined } from '@ant-design/icons'
import { ImportMode } from '@ithings/contract/features/products/schema.ts'
import { Alert, Button, Drawer, Result, Segmented, Upload } from 'antd'
import { useMemo, useState } from 'react'
import { focusFirstField } from '#kit/first-field.ts'
import { useSessionKey } from '#kit/form/use-session-key.ts'
import { LeaveGuard, useAskDiscard } from '#kit/leave-guard.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { MarkedEditor } from '../script/marked-editor.tsx'
import { DiffList, diffWords, isSame } from './diff-list.tsx'
import { referenceWords } from './references.tsx'
import { isEmptyModel, type TslIssue } from './tsl-check.ts'
import { useImport, type WriteMode } from './use-import.ts'

interface ImportDrawerProps {
  productID: string
  open: boolean
  onClose: () => void
}

export function ImportDrawer(props: ImportDrawerProps) {
  const key = useSessionKey(props.open)
  return <Panel key={key} {...props} />
}

type Import = ReturnType<typeof useImport>

const discardText = '还没有写入任何内容，离开后粘贴的文本将丢失。'

/** screens.md 4.2: text or file, faults by line, what would change, and only then the change. */
function Panel({ productID, open, onClose }: ImportDrawerProps) {
  const phone = usePhone()
  const ask = useAskDiscard()
  const work = useImport(productID)
  const dirty = work.text.trim() !== '' && !work.result
  const close = () => {
    if (work.busy) return
    if (!dirty) return onClose()
    ask(discardText, onClose)
  }
  return (
    <Drawer
      title="导入物模型"
      open={open}
      onClose={close}
      afterOpenChange={focusFirstField}
      size={phone ? '100%' : 720}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      destroyOnHidden
      footer={
        <div className="form-footer">
          {work.failure && <Alert type="error" showIcon title={work.failure.reason} />}
          <Footer work={work} onClose={onClose} onCancel={close} />
        </div>
      }
    >
      <LeaveGuard ofDialog dirty={open && dirty} text={discardText} />
      {work.result ? (
        <>
          <Result
            status="success"
            title={isSame(work.result) ? '内容相同，没有改动' : `导入完成：${diffWords(work.result)}`}
            subTitle={isSame(work.result) ? undefined : '改动已记入版本，可以随时恢复。'}
          />
          <DiffList diff={work.result} />
        </>
      ) : work.preview ? (
        <PreviewStep work={work} />
      ) : (
        <TextStep work={work} />
      )}
    </Drawer>
  )
}

function Footer({ work, onClose, onCancel }: { work: Import; onClose: () => void; onCancel: () => void }) {
  if (work.result) {
    return (
      <div className="form-buttons">
        <span className="form-footer-extra" />
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
      </div>
    )
  }
  const { preview, check, busy } = work
  const nothing = preview !== undefined && isSame(withoutKept(work))
  return (
    <div className="form-buttons">
      <span className="form-footer-extra">
        {preview && (
          <Button type="text" disabled={busy} onClick={work.back}>
            返回修改
          </Button>
        )}
      </span>
      {check?.ok === false && (
        <span className="form-problems" role="status">
          {check.issues.length} 处待修正
        </span>
      )}
      <Button onClick={onCancel} disabled={busy}>
        取消
      </Button>
      {preview ? (
        <Button type="primary" loading={busy} disabled={nothing} onClick={() => void work.write()}>
          {work.mode === ImportMode.merge ? '合并' : '替换'}
        </Button>
      ) : (
        <Button type="primary" loading={busy} disabled={!check?.ok} onClick={() => void work.compare()}>
          下一步：对比
        </Button>
      )}
    </div>
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
    () => issues.map(({ line, text, path }) => ({ line, message: path ? `${path}：${text}` : text })),
    [issues],
  )
  const [goTo, setGoTo] = useState<{ line: number }>()
  return (
    <div className="column gap-12">
      <div className="import-bar">
        <span className="meta">粘贴 TSL 文档，或选择 tsl.json 文件。这一步不会改动现有物模型。</span>
        <Upload
          accept=".json,application/json"
          showUploadList={false}
          beforeUpload={(file) => {
            void file.text().then(work.change)
            return false
          }}
        >
          <Button icon={<UploadOutlined />}>选择文件</Button>
        </Upload>
      </div>
      <MarkedEditor
        language="json"
        label="TSL 文档"
        height={issues.length > 0 ? 'calc(100vh - 480px)' : 'calc(100vh - 240px)'}
        value={work.text}
        marks={marks}
        goTo={goTo}
        onChange={work.change}
      />
      {check?.ok && isEmptyModel(check.model) && (
        <Alert type="warning" showIcon title="文档里没有任何功能；选择「替换」会清空物模型。" />
      )}
      {issues.length > 0 && <IssueList issues={issues} onPick={(line) => setGoTo({ line })} />}
    </div>
  )
}

const noIssues: TslIssue[] = []

function IssueList({ issues, onPick }: { issues: readonly TslIssue[]; onPick: (line: number) => void }) {
  return (
    <ul className="issue-list bare-list" aria-label="待修正">
      {issues.map(({ line, column, path, text }) => (
        <li key={`${line}/${path}/${text}`}>
          <button type="button" className="plain-button issue-row" onClick={() => onPick(line)}>
            <span className="issue-line">
              第 {line} 行{column ? ` 第 ${column} 列` : ''}
            </span>
            <span className="issue-text">{text}</span>
            {path && <span className="mono issue-path">{path}</span>}
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
      <div className="import-bar">
        <Segmented aria-label="导入方式" value={mode} options={modes} onChange={work.setMode} />
        <span className="meta">
          {mode === ImportMode.merge ? '文件中没有的功能保留不动' : '物模型与文件完全一致，文件中没有的功能将移除'}
        </span>
      </div>
      {references.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`${referenceWords(references)}正在使用将${removes ? '移除或' : ''}改变类型的功能`}
          description="类型改变或移除后，按旧定义保存的历史数据不再显示，并随保存期限清除。"
        />
      )}
      <DiffList diff={preview.diff} keepRemoved={mode === ImportMode.merge} />
    </div>
  )
}
