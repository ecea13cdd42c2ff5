import { useEffect, useRef, useState } from 'react'
import type { ResumableUpload } from '#api/resumable-upload.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { hashFile } from './hash-file.ts'
import { admit, changeRow, newRow, type UploadRow } from './upload-list.ts'

interface Work {
  upload: Promise<ResumableUpload>
  hashing: AbortController
}

// The protocol's client is needed only once somebody chooses a file.
const loadClient = () => import('#api/resumable-upload.ts')

/** Sends and hashes files side by side; leaving pauses them, so that choosing the same file later goes on. */
export function useUploads() {
  const [rows, setRows] = useState<UploadRow[]>([])
  const [refused, setRefused] = useState<string[]>([])
  const works = useRef(new Map<string, Work>())
  const serial = useRef(0)

  useEffect(() => {
    const own = works.current
    return () => {
      for (const { upload, hashing } of own.values()) {
        hashing.abort()
        void upload.then((one) => one.pause())
      }
    }
  }, [])

  const patch = (uid: string, change: Partial<UploadRow>) => setRows((before) => changeRow(before, uid, change))

  const begin = (uid: string, file: File): Work => {
    const hashing = new AbortController()
    hashFile(file, (hashed) => patch(uid, { hashed }), hashing.signal).then(
      (hashes) => patch(uid, { hashed: 1, hashes }),
      (error: unknown) => {
        if (!hashing.signal.aborted) patch(uid, { hashProblem: describeError(error).reason })
      },
    )
    const upload = loadClient().then(({ uploadResumable }) =>
      uploadResumable(file, {
        business: 'productManage',
        scene: 'ota',
        onProgress: (share) => patch(uid, { share }),
        onDone: (filePath) => patch(uid, { state: 'sent', share: 1, filePath }),
        onFail: (reason) => patch(uid, { state: 'failed', reason }),
      }),
    )
    upload.catch((error: unknown) => patch(uid, { state: 'failed', reason: describeError(error).reason }))
    return { upload, hashing }
  }

  const control = (uid: string, act: (upload: ResumableUpload) => void) =>
    void works.current.get(uid)?.upload.then(act, () => undefined)

  return {
    rows,
    refused,
    add: (files: readonly File[]) => {
      const admitted = admit(rows, files)
      setRefused(admitted.refused)
      const added = admitted.taken.map((file) => {
        serial.current += 1
        const uid = String(serial.current)
        works.current.set(uid, begin(uid, file))
        return newRow(uid, file)
      })
      setRows([...rows, ...added])
    },
    pause: (uid: string) => {
      control(uid, (upload) => upload.pause())
      patch(uid, { state: 'paused' })
    },
    resume: (uid: string) => {
      patch(uid, { state: 'sending', reason: '' })
      control(uid, (upload) => upload.resume())
    },
    /** The part that the platform has is thrown away. */
    remove: (uid: string) => {
      works.current.get(uid)?.hashing.abort()
      control(uid, (upload) => upload.discard())
      works.current.delete(uid)
      setRows(rows.filter((row) => row.uid !== uid))
    },
    sign: (uid: string, signature: string) => patch(uid, { signature }),
  }
}

export type Uploads = ReturnType<typeof useUploads>
