internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

/// The login form of a page, as servers write it.
struct PageFormTests {
  private func form(_ page: String) throws -> PageForm? {
    PageForm(in: page, at: try #require(HTTPURL("https://shop.example/account/login?next=/")))
  }

  @Test(arguments: [
    ("<form method=post action=/in><input name=u><input type=password name=p></form>", "/in"),
    (
      "<FORM METHOD='POST' ACTION='in?a=1&amp;b=2'><INPUT NAME='u' TYPE='EMAIL'/>"
        + "<input type='password' name=p></FORM>", "/account/in?a=1&b=2"
    ),
    // Attributes may be on lines of their own.
    (
      "<form\n method = post\r\n action='/in'><input\nname=u><input type=password\n\tname=p></form>",
      "/in"
    ),
    // Without an action it is posted to the page itself.
    (
      "<form method='post'><input type='text' name='u'><input name='p' type='password'></form>",
      "/account/login?next=/"
    ),
    // Comments and scripts contain no form; a search form is not a login form.
    (
      "<!-- <form method=post><input name=x><input type=password name=y></form> -->"
        + "<script>'<form method=post>'</script><form action=/find><input name=q></form>"
        + "<form method=post action='/in'><input name=u><input type=password name=p>"
        + "<input type=checkbox name=stay></form>", "/in"
    ),
    ("<form method=post action=/in><input name=u><input type=password name=p>", "/in"),
  ])
  func `the first form with a name and a password is found`(_ page: String, _ target: String) throws
  {
    let form = try #require(try form(page))
    #expect(form.url.target == target)
    #expect(form.userField == "u")
    #expect(form.passwordField == "p")
    #expect(!form.hasOwnValues)
  }

  @Test(arguments: [
    "", "<form", "<form method=post", "<", "<!--", "<script>", "<form method=post><input name=",
    "<form method=get action=/in><input name=u><input type=password name=p></form>",
    "<form method=post><input type=password name=p></form>",
    "<form method=post><input name=u></form><input type=password name=p>",
    "<input name=u><input type=password name=p>", "< form method=post>",
  ])
  func `a page without one has none`(_ page: String) throws {
    #expect(try form(page) == nil)
  }

  @Test func `values that the page makes itself are noticed`() throws {
    let page =
      "<form method=post><input type=hidden name=csrf value=1><input name=u>"
      + "<input type=password name=p></form>"
    #expect(try form(page)?.hasOwnValues == true)
  }
}
