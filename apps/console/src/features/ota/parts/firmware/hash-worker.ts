/** Computes MD5 and SHA-256 of a file off the page's thread, piece by piece: a file of 1,000 MB never stands in memory. */
import { createMD5, createSHA256 } from 'hash-wasm'

/** A progress notice for each so many bytes. */
const noticeBytes = 8 * 1024 * 1024

async function hash(file: Blob): Promise<void> {
  const [md5, sha256] = await Promise.all([createMD5(), createSHA256()])
  const reader = file.stream().getReader()
  let done = 0
  let told = 0
  for (;;) {
    const piece = await reader.read()
    if (piece.done) break
    md5.update(piece.value)
    sha256.update(piece.value)
    done += piece.value.byteLength
    if (done - told < noticeBytes) continue
    told = done
    self.postMessage({ done })
  }
  self.postMessage({ md5: md5.digest(), sha256: sha256.digest() })
}

self.onmessage = ({ data }: MessageEvent<Blob>) => {
  hash(data).catch((error: unknown) =>
    self.postMessage({ error: error instanceof Error ? error.message : String(error) }),
  )
}
