import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { LINKS_BASE } from '@procurement/kit/runtime/config';
import type { PublicKey, SigningKey } from './signing-keys.ts';

export interface SignedUrlKeys {
  /** Key of the document service: uploads and registrations. */
  readonly service: SigningKey;
  /** Key of the API: permanent and temporary downloads. */
  readonly api: SigningKey;
  /** Former keys, whose addresses stay valid. */
  readonly formerService: readonly PublicKey[];
  readonly formerApi: readonly PublicKey[];
}

type Refused = { readonly refused: Problem };

/** Makes and verifies the signed addresses of the document service (http.md 2.8). */
export interface SignedUrls {
  /** Address for the one upload of a registered file. */
  upload(fileId: string): string;
  /** Address for registration at the API; never valid for a download. */
  registration(fileId: string, md5: string): string;
  /** Download of a public file, without an expiry. */
  permanent(fileId: string): string;
  /** Download until `expires`, in Unix seconds. */
  temporary(fileId: string, expires: number): string;
  /** 403 when the address of an upload is not valid. */
  verifyUpload(fileId: string, query: URLSearchParams): Problem | undefined;
  /** 403 when the address is not valid for a download; else whether it is permanent. */
  verifyDownload(fileId: string, query: URLSearchParams, nowSeconds: number): Refused | { readonly permanent: boolean };
  /** The file that a `url` with its `hash` names (http.md 2.6). */
  verifyRegistration(url: unknown, hash: unknown): Refused | { readonly fileId: string };
}

const NUL = '\u0000';

export function makeSignedUrls(base: string, { service, api, formerService, formerApi }: SignedUrlKeys): SignedUrls {
  const serviceKeys = indexById([service, ...formerService]);
  const apiKeys = indexById([api, ...formerApi]);
  const allKeys = new Map([...serviceKeys, ...apiKeys]);

  function signedUrl(path: string, key: SigningKey, text: string, extra = ''): string {
    return `${base}${path}?KeyID=${key.id}${extra}&Signature=${encodeURIComponent(key.sign(text))}`;
  }

  // Where links follow the request, a client may have registered the file by another address: the signature decides.
  const isOwn = (url: string): boolean => (base === LINKS_BASE ? /^https?:\/\//.test(url) : url.startsWith(`${base}/`));

  return {
    upload: (fileId) => signedUrl(`/upload/${fileId}`, service, fileId),
    registration: (fileId, md5) => signedUrl(`/get/${fileId}`, service, `${fileId}${NUL}${md5}`),
    permanent: (fileId) => signedUrl(`/get/${fileId}`, api, fileId),
    temporary: (fileId, expires) =>
      signedUrl(`/get/${fileId}`, api, `${fileId}${NUL}${expires}`, `&Expires=${expires}`),

    verifyUpload(fileId, query) {
      const key = serviceKeys.get(query.get('KeyID') ?? '');
      return key === undefined ? problem('file.key-unknown') : signatureRefusal(key, fileId, query);
    },

    verifyDownload(fileId, query, nowSeconds) {
      const expires = query.get('Expires');
      if (expires !== null && !(/^\d{1,12}$/.test(expires) && Number(expires) >= nowSeconds)) {
        return { refused: problem('file.expired') };
      }
      const keyId = query.get('KeyID') ?? '';
      // An address without expiry that the service key signed is for an upload, not for a download (http.md 2.7).
      const key = (expires === null ? apiKeys : allKeys).get(keyId);
      if (key === undefined) return { refused: problem(expires === null ? 'file.key-private' : 'file.key-unknown') };
      const text = expires === null ? fileId : `${fileId}${NUL}${expires}`;
      const refused = signatureRefusal(key, text, query);
      return refused === undefined ? { permanent: expires === null } : { refused };
    },

    verifyRegistration(url, hash) {
      const parsed = typeof url === 'string' && isOwn(url) && URL.canParse(url) ? new URL(url) : null;
      const fileId = /^\/get\/([0-9a-f]{32})$/.exec(parsed?.pathname ?? '')?.[1];
      const query = parsed?.searchParams ?? new URLSearchParams();
      const names = [...query.keys()].sort().join();
      if (fileId === undefined || names !== 'KeyID,Signature') return { refused: problem('document.url-foreign') };
      if (typeof hash !== 'string') return { refused: problem('document.hash-missing') };
      const key = serviceKeys.get(query.get('KeyID') ?? '');
      if (key === undefined) return { refused: problem('document.url-expired') };
      const signature = readSignature(query);
      if (signature === undefined) return { refused: problem('document.url-signature') };
      const text = `${fileId}${NUL}${hash.slice(hash.indexOf(':') + 1)}`;
      return key.verifies(text, signature) ? { fileId } : { refused: problem('document.url-invalid') };
    },
  };
}

function indexById(keys: readonly PublicKey[]): ReadonlyMap<string, PublicKey> {
  // Of two keys with the same id the first, the newest, is kept.
  return new Map([...keys].reverse().map((key) => [key.id, key]));
}

function signatureRefusal(key: PublicKey, text: string, query: URLSearchParams): Problem | undefined {
  if (!query.has('Signature')) return problem('file.signature-missing');
  const signature = readSignature(query);
  if (signature === undefined) return problem('file.signature-invalid');
  return key.verifies(text, signature) ? undefined : problem('file.signature-wrong');
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Kept for brokers: earlier services percent-encoded the base64 twice, and clients send it unchanged; a plus that was not
 * encoded is read as a blank (http.md 2.8).
 */
function readSignature(query: URLSearchParams): Buffer | undefined {
  const given = query.get('Signature') ?? '';
  const text = percentDecoded(given).replaceAll(' ', '+');
  return BASE64.test(text) && text.length % 4 === 0 ? Buffer.from(text, 'base64') : undefined;
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
