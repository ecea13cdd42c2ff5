import { App } from 'antd'
import { useMemo, useState } from 'react'
import { ImportDrawer as ImportFrame } from '#kit/import-drawer.tsx'
import { ImportRows } from './import-rows.tsx'
import { useImport } from './use-import.ts'
import { useImportNames } from './use-import-names.ts'

/** The counterpart of 导出: a file of scenes is checked and shown in sentences before anything is created. */
export function ImportDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const { rows, refusal, running, todo, take, rename, restart, submit } = useImport()
  const [asInFile, setAsInFile] = useState(false)
  const parts = useMemo(() => (rows ?? []).flatMap((row) => row.parts ?? []), [rows])
  const known = useImportNames(parts)

  const create = async () => {
    const count = todo.length
    if ((await submit(asInFile)) > 0) return
    void message.success(`已导入 ${count} 个场景`)
    onClose()
  }
  return (
    <ImportFrame
      title="导入场景"
      width={720}
      open={open}
      onClose={onClose}
      afterClose={restart}
      read={rows && { all: rows.length, todo: todo.length }}
      refusal={refusal}
      running={running}
      option={{
        label: '沿用文件中的启用状态',
        help: '关闭则全部导入为禁用，检查之后再逐个启用',
        checked: asInFile,
        onChange: setAsInFile,
      }}
      file={{
        text: '选择或拖入从场景列表导出的 JSON 文件',
        help: '先检查，确认后才会创建。产品、分组、通知渠道和被执行的场景按编号对应，关联告警不在文件中。',
        onFile: (file) => void take(file),
      }}
      onRestart={restart}
      onSubmit={() => void create()}
    >
      <ImportRows rows={rows ?? []} disabled={running} onRename={rename} {...known} />
    </ImportFrame>
  )
}
