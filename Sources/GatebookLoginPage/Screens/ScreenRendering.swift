internal import Gatebook
internal import GatebookSystem

/// Makes the values of a theme's template from a screen, in one language.
struct ScreenRendering {
  /// The language.
  let words: PageWords
  /// The short code that app and page show.
  let code: String
  /// Counts the screens: a form answers one of them.
  let number: Int
  /// Until when the page works, as `10:42`; `nil` on a last screen.
  let end: String?
  /// Whether the screen says that a form was sent before.
  let wasSent: Bool
  /// Whether another screen comes without the person's doing.
  var isBusy = false
  /// Whether the work that is done meanwhile can be cancelled.
  var canCancel = false

  /// The values.
  func values(of screen: Screen) -> TemplateValues {
    var values: TemplateValues = [
      "lang": .text(words.language), "dir": .text(words.isRightToLeft ? "rtl" : "ltr"),
      "code": .text(code), "codeLabel": .text(words(.codeLabel)),
      "codeHint": .text(screen.isLast ? "" : words(.codeHint)), "screen": .text("\(number)"),
      "isBusy": .flag(isBusy), "hasForm": .flag(!screen.isLast && (!isBusy || canCancel)),
      "note": .text(end.map { words(.worksUntil, $0) } ?? ""),
      "notice": .text(wasSent ? words(.alreadySent) : ""),
    ]
    let own: TemplateValues =
      switch screen {
      case .accounts(let accounts): chooser(accounts)
      case .form(let view): form(view)
      case .certificate(let certificate, let server): question(certificate, server)
      case .working(let server):
        headed(.working, server.isEmpty ? "" : words(.introWorking, server)).merging([
          "isWorking": .flag(true),
          "buttons": .list(canCancel ? [button(.cancel, isQuiet: true)] : []),
        ]) { $1 }
      case .done(let context): done(context, .loggedIn)
      case .continued(let context): done(context, .usingAccount)
      case .ended(let end): ended(end)
      }
    values.merge(own) { $1 }
    return values
  }

  private func headed(_ heading: PageText, _ intro: String = "") -> TemplateValues {
    [
      "title": .text("\(words(heading)) - Gatebook"), "heading": .text(words(heading)),
      "intro": .text(intro),
    ]
  }

  private func button(
    _ text: PageText, isPrimary: Bool = false, isQuiet: Bool = false, isFocused: Bool = false
  ) -> TemplateValues {
    [
      "name": .text("button"), "value": .text(text.rawValue), "label": .text(words(text)),
      "isPrimary": .flag(isPrimary), "isQuiet": .flag(isQuiet), "isFocused": .flag(isFocused),
    ]
  }

  // MARK: Accounts

  private func chooser(_ accounts: [SessionContext]) -> TemplateValues {
    var values = headed(.chooseAccount, words(.introAccounts))
    values["hasAccounts"] = .flag(true)
    values["accounts"] = .list(accounts.map(account))
    values["buttons"] = .list([button(.cancel, isQuiet: true)])
    return values
  }

  private func account(_ context: SessionContext) -> TemplateValues {
    let name = Self.name(of: context)
    return [
      "id": .text(context.account.description), "name": .text(ShownText.of(name)),
      "place": .text("\(context.server) · \(MethodName.of(context.method, words))"),
      "state": .text(words(Self.state(of: context))), "stateKind": .text(Self.kind(of: context)),
      "initial": .text(ShownText.of(String(name.prefix(1)).uppercased())),
      "action": .text(words(context.state.isUsable ? .continueAs : .logInAgain)),
    ]
  }

  /// Who an account is, for people: the label, else the user.
  static func name(of context: SessionContext) -> String {
    context.label?.value ?? context.loginName.value ?? String(context.account.description.prefix(8))
  }

  private static func state(of context: SessionContext) -> PageText {
    switch context.state {
    case .active: .stateActive
    case .offline: .stateOffline
    case .challenged: .stateChallenged
    case .uncertain: .stateUncertain
    case .needsLogin: .stateNeedsLogin
    case .ended: .stateEnded
    }
  }

  private static func kind(of context: SessionContext) -> String {
    switch context.state {
    case .active: "active"
    case .offline: "offline"
    case .challenged, .uncertain, .needsLogin: "attention"
    case .ended: "ended"
    }
  }

  // MARK: Forms

  private func form(_ view: FormView) -> TemplateValues {
    var values: TemplateValues
    switch view.purpose {
    case .login: values = headed(.logIn)
    case .password(let server, let isProxy, let realm):
      values = headed(
        isProxy ? .proxyPassword : .serverPassword,
        isProxy
          ? words(.introProxy, "\(server)")
          : realm.map { words(.introRealm, "\(server)", ShownText.of($0)) } ?? "")
    }
    values["server"] = .text(view.server)
    values["fields"] = .list(view.fields.map { field($0, view) })
    values["buttons"] = .list([
      button(.submit, isPrimary: true), button(.cancel, isQuiet: true),
    ])
    values["showPassword"] = .text(words(.showPassword))
    values["hidePassword"] = .text(words(.hidePassword))
    if let failure = view.failure {
      values["alert"] = .text(words(failure.text, place(view)))
      values["detail"] = .text(ShownText.of(Self.detail(failure.error)))
    }
    return values
  }

  /// The server as a sentence names it.
  private func place(_ view: FormView) -> String {
    if !view.server.isEmpty { return view.server }
    return view.fields.first { $0.name == "server" }.map { ShownText.of($0.value) } ?? ""
  }

  private static func detail(_ error: GatebookError) -> String {
    [error.message, error.cause.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
  }

  private func field(_ field: LoginField, _ view: FormView) -> TemplateValues {
    let id = "field-\(field.name)"
    let hint = field.hint.map { words($0) } ?? ""
    let error = view.mistakes[field.name].map { text(of: $0, place(view)) } ?? ""
    let described =
      (hint.isEmpty ? [] : ["\(id)-hint"]) + (error.isEmpty ? [] : ["\(id)-error"])
    let isPassword = field.kind == .password
    return [
      "name": .text(field.name), "id": .text(id), "label": .text(label(of: field)),
      "hint": .text(hint), "hintID": .text(hint.isEmpty ? "" : "\(id)-hint"),
      "error": .text(error), "errorID": .text(error.isEmpty ? "" : "\(id)-error"),
      "describedBy": .text(described.joined(separator: " ")), "isInvalid": .flag(!error.isEmpty),
      "isSwitch": .flag(field.kind == .toggle), "isChecked": .flag(field.value == "on"),
      "type": .text(Self.type(of: field.kind)),
      "value": .text(field.kind == .toggle ? "on" : isPassword ? "" : field.value),
      "autocomplete": .text(field.autocomplete), "inputMode": .text(Self.inputMode(of: field.kind)),
      "isRequired": .flag(field.isRequired), "isFocused": .flag(view.focused == field.name),
      "isPlain": .flag(field.kind != .toggle),
    ]
  }

  private func label(of field: LoginField) -> String {
    switch field.label {
    case .known(let text): words(text)
    case .text(let text): text
    }
  }

  private func text(of mistake: FieldMistake, _ server: String) -> String {
    switch mistake {
    case .known(let text): return words(text)
    case .refused(let text, let said, let left):
      return [
        words(text, server), ShownText.of(said), left.map { words(.attemptsLeft, "\($0)") } ?? "",
      ].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  private static func type(of kind: LoginField.Kind) -> String {
    switch kind {
    case .text, .number, .port, .host: "text"
    case .email: "email"
    case .password: "password"
    case .toggle: "checkbox"
    }
  }

  private static func inputMode(of kind: LoginField.Kind) -> String {
    switch kind {
    case .number, .port: "numeric"
    case .email: "email"
    case .host: "url"
    case .text, .password, .toggle: ""
    }
  }

  // MARK: Questions and ends

  private func question(_ certificate: ServerCertificate, _ server: Origin) -> TemplateValues {
    var values = headed(.checkServer, words(.introCertificate, "\(server)"))
    values["isQuestion"] = .flag(true)
    let times = [certificate.notBefore, certificate.notAfter].map { time in
      time.map { String($0.description.prefix(10)) } ?? "?"
    }
    values["facts"] = .list(
      [
        fact(.certificateKey, certificate.key.description),
        fact(.certificateNames, certificate.subject),
        fact(.certificateIssuer, certificate.issuer),
        fact(.certificateValid, times.joined(separator: " – ")),
        fact(
          .certificateDefects,
          CertificateDefect.allCases.filter(certificate.defects.contains).map { words($0.text) }
            .joined(separator: " ")),
      ].compactMap(\.self))
    // Enter refuses.
    values["buttons"] = .list([
      button(.refuseCertificate, isPrimary: true, isFocused: true),
      button(.acceptCertificate, isQuiet: true),
    ])
    return values
  }

  private func fact(_ name: PageText, _ value: String) -> TemplateValues? {
    guard !value.isEmpty else { return nil }
    return ["name": .text(words(name)), "value": .text(ShownText.of(value))]
  }

  private func done(_ context: SessionContext, _ heading: PageText) -> TemplateValues {
    var values = headed(heading, words(.introLoggedIn))
    values["isDone"] = .flag(true)
    values["facts"] = .list(
      [
        fact(.account, Self.name(of: context)),
        fact(.user, context.loginName.value ?? ""), fact(.server, context.server),
      ].compactMap(\.self))
    return values
  }

  private func ended(_ end: ScreenEnd) -> TemplateValues {
    var values: TemplateValues
    switch end {
    case .cancelled: values = headed(.cancelled, words(.introCancelled))
    case .expired: values = headed(.expired, words(.introExpired))
    case .elsewhere(let server): values = headed(.logIn, words(.introElsewhere, server))
    case .failed(let error):
      values = headed(.failed, words(.introFailed))
      values["alert"] = .text(words(FormView.text(of: error), ""))
      values["detail"] = .text(ShownText.of(Self.detail(error)))
    }
    values["isEnded"] = .flag(true)
    return values
  }
}
