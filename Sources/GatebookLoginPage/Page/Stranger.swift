internal import Gatebook
internal import GatebookCrypto

/// What a visitor sees who may not see the login page: nothing of it.
enum Stranger {
  /// The answer to a visit that is refused.
  ///
  /// - Parameters:
  ///   - reason: Why.
  ///   - words: The language.
  /// - Returns: The answer.
  static func reply(to reason: VisitRefused.Reason, _ words: PageWords) -> PageReply {
    switch reason {
    // Who does not know the address learns nothing.
    case .path, .host, .user, .malformed: .missing
    case .cookie, .origin: page(words, .introNotForYou)
    case .spent: page(words, .introAlreadyOpened)
    }
  }

  private static func page(_ words: PageWords, _ text: PageText) -> PageReply {
    let direction = words.isRightToLeft ? "rtl" : "ltr"
    let (heading, text) = (HTMLTag.escaped(words(.notForYou)), HTMLTag.escaped(words(text)))
    return PageReply(
      "403 Forbidden", fields: [HTTPField("Content-Security-Policy", policy)],
      html: """
        <!doctype html>
        <html lang="\(words.language)" dir="\(direction)">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark"><title>\(heading)</title>
        <link rel="icon" href="data:,"><style>\(style)</style></head>
        <body><main><h1>\(heading)</h1><p>\(text)</p></main></body>
        </html>

        """)
  }

  /// Quiet, and of no theme: a stranger does not learn which one the page has.
  private static let style = """
    :root { color-scheme: light dark; }
    html { background: #f2f4f8; color: #16202e; font: 100%/1.5 system-ui, sans-serif; }
    body { display: grid; min-height: 100vh; margin: 0; }
    main { max-width: 28rem; margin: auto; padding: 2rem 1.25rem; overflow-wrap: anywhere; }
    h1 { margin: 0 0 .75rem; font-size: 1.5rem; font-weight: 600; line-height: 1.25; }
    p { margin: 0; }
    @media (prefers-color-scheme: dark) { html { background: #0c1016; color: #e9edf4; } }
    """

  /// The page has its style and nothing else (Content Security Policy Level 3).
  private static let policy =
    "default-src 'none'; style-src 'sha256-"
    + Base64.encode(HashFunction.sha256.hash(Array(style.utf8)))
    + "'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
